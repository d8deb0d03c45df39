# The images of docker-compose.yml, one stage each: server, web, test, init.
# A digest goes where the tag stands: docs/how-to/deploy.md says how to pin them.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim
ARG CADDY_IMAGE=caddy:2.11.4-alpine

FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY domain/package.json domain/
COPY packages/contracts/package.json packages/contracts/
COPY packages/async/package.json packages/async/
COPY packages/driver-patches/package.json packages/driver-patches/
COPY packages/mongodb/package.json packages/mongodb/
COPY packages/sqlite/package.json packages/sqlite/
COPY packages/event-store/package.json packages/event-store/
COPY packages/read-store/package.json packages/read-store/
COPY packages/credentials/package.json packages/credentials/
COPY packages/seals/package.json packages/seals/
COPY packages/projections/package.json packages/projections/
COPY packages/tracing/package.json packages/tracing/
COPY packages/service-kit/package.json packages/service-kit/
COPY services/command/package.json services/command/
COPY services/projector/package.json services/projector/
COPY services/gateway/package.json services/gateway/
COPY services/standalone/package.json services/standalone/
COPY services/demo/package.json services/demo/
COPY web/package.json web/

FROM manifests AS deps
RUN npm ci --ignore-scripts

FROM deps AS build
COPY . .
RUN npm run build && node --import tsx scripts/caddy-headers.ts web/dist web/headers.caddy

FROM manifests AS production-deps
RUN npm ci --ignore-scripts --omit=dev -w @zakup/command -w @zakup/projector -w @zakup/gateway -w @zakup/standalone

FROM deps AS test
RUN apt-get update && \
    apt-get install -y --no-install-recommends chromium gcc libc6-dev strace && \
    rm -rf /var/lib/apt/lists/*
COPY . .
# The tests build, and start what they built, in the tree itself; packages are only read.
RUN find . -path ./node_modules -prune -o -exec chown node:node {} + && chown node:node node_modules
USER node
CMD ["npm", "test"]

FROM ${NODE_IMAGE} AS init
COPY deploy/init.mjs deploy/certificates.mjs /app/
ENTRYPOINT ["node", "/app/init.mjs"]

FROM ${CADDY_IMAGE} AS web
# The file's capability would forbid its start where all are dropped; no port below 1024 is needed.
RUN setcap -r /usr/bin/caddy
COPY deploy/Caddyfile /etc/caddy/Caddyfile
COPY --from=build /app/web/headers.caddy /etc/caddy/headers.caddy
COPY --from=build /app/web/dist /srv
USER 1000:1000
EXPOSE 3000 8080 8443

FROM ${NODE_IMAGE} AS server
WORKDIR /app
ENV NODE_ENV=production
COPY package.json ./
COPY --from=production-deps /app/node_modules node_modules
COPY --from=build /app/services/standalone/dist services/standalone/dist
USER node
EXPOSE 3000
