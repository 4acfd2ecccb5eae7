// HEALTHCHECK of the image: whether the process answers. While the database is away it does; /ready would not.
import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'

const { PEYK_PORT = '8090', PEYK_TLS_CERT } = process.env
const get = PEYK_TLS_CERT ? getHttps : getHttp
const url = `${PEYK_TLS_CERT ? 'https' : 'http'}://localhost:${PEYK_PORT}/health`

get(url, { timeout: 5_000, rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
