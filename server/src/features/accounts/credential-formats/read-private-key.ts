import { createPrivateKey, type KeyObject } from 'node:crypto'
import { wrong } from './read-fields.ts'

/** A PEM as people paste it: with `\n` as two characters when it went through an environment file, with CRLF, with spaces around. */
export function readPem(text: string): string {
  return `${text.replaceAll('\\n', '\n').replaceAll('\r', '').trim()}\n`
}

export function readPrivateKey(pem: string, field: string, hint: string): KeyObject {
  if (/-----BEGIN CERTIFICATE-----/.test(pem)) {
    throw wrong(`${field} is a certificate, which holds no private key: expected ${hint}.`, 'key-certificate', {
      field,
    })
  }
  if (/-----BEGIN (EC |RSA )?PUBLIC KEY-----/.test(pem)) {
    throw wrong(`${field} is a public key: expected ${hint}.`, 'key-public', { field })
  }
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/.test(pem)) {
    throw wrong(`${field} is protected by a password: expected ${hint}, without one.`, 'key-password', { field })
  }
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) {
    throw wrong(`${field} has no line "-----BEGIN PRIVATE KEY-----": expected ${hint}.`, 'key-none', { field })
  }
  try {
    return createPrivateKey(pem)
  } catch {
    throw wrong(`${field} looks like a PEM but cannot be read; was it cut or changed? Expected ${hint}.`, 'key-cut', {
      field,
    })
  }
}
