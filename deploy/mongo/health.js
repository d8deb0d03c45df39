// The health check of `mongo`, run by mongosh inside its container. Healthy = writable primary that knows the user of the services.
// What is missing for that it makes, so a start that was cut off anywhere is finished by the next check.
const { readFileSync } = require('fs');

const secret = (name) => readFileSync(`/secrets/${name}`, 'utf8').trim();
const admin = connect(
  'mongodb://127.0.0.1:27017/admin?directConnection=true&serverSelectionTimeoutMS=4000&tls=true&tlsCAFile=/secrets/authority.pem',
);

// As long as there is no user, whoever connects from inside may initiate the set and make the first one.
if (admin.hello().setName === undefined) {
  admin.adminCommand({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: 'mongo:27017' }] } });
}
if (!admin.hello().isWritablePrimary) throw new Error('not a writable primary yet');

const appPassword = secret('app-password');
let isKnown = false;
try {
  isKnown = admin.auth('zakup', appPassword).ok === 1;
} catch {
  // The first start, or another password.
}

if (!isKnown) {
  const rootPassword = secret('root-password');
  let isRoot = false;
  try {
    isRoot = admin.auth('root', rootPassword).ok === 1;
  } catch {
    // The first start; with users there, making one is refused below.
  }
  if (!isRoot) {
    admin.createUser({ user: 'root', pwd: rootPassword, roles: ['root'] });
    admin.auth('root', rootPassword);
  }
  const user = { pwd: appPassword, roles: [{ role: 'readWrite', db: 'zakup' }] };
  if (admin.getUser('zakup') === null) admin.createUser({ user: 'zakup', ...user });
  else admin.updateUser('zakup', user);
}
