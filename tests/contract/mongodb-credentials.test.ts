import { randomBytes } from 'node:crypto';
import { credentialsContractSuite, suiteOptions } from '@zakup/credentials/contract-suite';
import { mongoCredentials } from '@zakup/credentials/mongodb/mongo-credentials';
import { MongoClient } from 'mongodb';
import { afterAll } from 'vitest';
import { mongoDbServer } from '../support/mongodb-server.ts';

const server = await mongoDbServer();
afterAll(() => server.stop());

credentialsContractSuite(`MongoDB (${server.kind})`, async () => {
  const url = server.url(`zakup_credentials_${randomBytes(6).toString('hex')}`);
  const credentials = await mongoCredentials({ ...suiteOptions, url });
  return {
    credentials,
    end: async () => {
      await credentials.close();
      const client = new MongoClient(url);
      await client.db().dropDatabase();
      await client.close();
    },
  };
});
