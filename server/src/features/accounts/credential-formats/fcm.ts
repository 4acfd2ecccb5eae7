import { readObject, readText, wrong } from './read-fields.ts'
import { readPem, readPrivateKey } from './read-private-key.ts'

/** A service account of the app's Firebase project. */
export interface FcmCredentials {
  projectId: string
  clientEmail: string
  privateKey: string
  privateKeyId?: string
  tokenUri: string
}

const what = 'the service account file of Firebase (Project settings › Service accounts › Generate new private key)'
const defaultTokenUri = 'https://oauth2.googleapis.com/token'

/** Reads the JSON file of a service account. Throws in plain words when it is something else. */
export function readFcmCredentials(sent: unknown): FcmCredentials {
  if (typeof sent === 'string') checkText(sent)
  const file = readObject(sent, what)
  checkKind(file)
  const projectId = readText(file, 'project_id', 'the id of the Firebase project')
  if (!/^[a-z0-9][a-z0-9.:-]{2,62}$/i.test(projectId))
    throw wrong(
      `project_id is "${projectId.slice(0, 64)}": expected the id of a Firebase project, such as "shop-1a2b3".`,
      'field-form',
      { field: 'project_id' },
    )
  const clientEmail = readText(file, 'client_email', 'the address of the service account')
  if (!/^[^@\s]+@[^@\s]+$/.test(clientEmail))
    throw wrong('client_email is not an email address.', 'field-form', { field: 'client_email' })
  const privateKey = readPem(readText(file, 'private_key', 'the PEM text of a private key'))
  const key = readPrivateKey(privateKey, 'private_key', 'the PEM text of an RSA key, as Firebase wrote it')
  if (key.asymmetricKeyType !== 'rsa')
    throw wrong(`private_key is a key of type ${key.asymmetricKeyType}: expected RSA.`, 'key-type', {
      field: 'private_key',
    })
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < 2048)
    throw wrong('private_key is shorter than 2048 bits: Google does not take it.', 'key-type', { field: 'private_key' })
  const keyId = file.private_key_id
  return {
    projectId,
    clientEmail,
    privateKey,
    ...(typeof keyId === 'string' && keyId !== '' && { privateKeyId: keyId }),
    tokenUri: readTokenUri(file),
  }
}

export function shownFcmCredentials({ projectId, clientEmail, privateKeyId }: FcmCredentials): Record<string, string> {
  return { projectId, clientEmail, ...(privateKeyId !== undefined && { privateKeyId }) }
}

function checkText(text: string): void {
  if (/^AAAA[\w-]+:[\w-]{100,}$/.test(text.trim()) || /^AIza[\w-]{30,}$/.test(text.trim())) {
    throw wrong(
      `This is a legacy server key or an API key; Google switched its interface off in 2024. Expected ${what}.`,
      'file-legacy-key',
    )
  }
  if (/^\s*</.test(text))
    throw wrong(`This is an XML file such as GoogleService-Info.plist: expected ${what}.`, 'file-xml')
}

function checkKind(file: Record<string, unknown>): void {
  if ('project_info' in file || 'client' in file) {
    throw wrong(`This is google-services.json, which belongs into the Android app: expected ${what}.`, 'file-android')
  }
  if ('apiKey' in file || 'messagingSenderId' in file) {
    throw wrong(`This is the Firebase configuration of a web page: expected ${what}.`, 'file-web')
  }
  if ('installed' in file || 'web' in file) throw wrong(`This is an OAuth client: expected ${what}.`, 'file-other')
  if (file.type !== 'service_account') {
    const came = typeof file.type === 'string' ? `"${file.type.slice(0, 40)}"` : 'missing'
    throw wrong(`type is ${came}, not "service_account": expected ${what}.`, 'file-other')
  }
}

/** Whether it is Google's own host is asked where it is used: the simulator has another. */
function readTokenUri(file: Record<string, unknown>): string {
  if (file.token_uri === undefined) return defaultTokenUri
  const text = readText(file, 'token_uri', `a URL such as ${defaultTokenUri}`)
  const protocol = URL.canParse(text) ? new URL(text).protocol : ''
  if (protocol !== 'https:' && protocol !== 'http:')
    throw wrong(`token_uri is not a URL such as ${defaultTokenUri}.`, 'field-form', { field: 'token_uri' })
  return text
}
