import type { Chance } from './chance.ts'
import { type MakeRequest, panelHeaders } from './fuzzed-request.ts'
import { mutateBytes } from './mutate.ts'
import { nastyTexts } from './nasty.ts'

const lineEnds = ['\n', '\r\n', '\r', '\n\n', ' \n', '\u2028', ',\n', ';\n', '"\n']
const queries = [
  'mode=add',
  'mode=add&leaveOutBadLines=true',
  'hasHeader=true',
  'leaveOutBadLines=1',
  'mode=%00',
  'mode=',
]
const starts = ['', '\ufeff', '\n', '"', 'code\n', '\ufffe', '\0']

/** Files of promo codes: of the campaign and of the app, by the API and by the panel. */
export const makeCsvUpload: MakeRequest = (chance, world) => {
  const boundary = chance.is(0.05) ? chance.pick(['', 'a b', 'x'.repeat(80), '--']) : 'cut-here'
  const campaign = chance.is(0.7)
    ? world.trackId
    : encodeURIComponent(chance.pick(nastyTexts).slice(0, 500).toWellFormed())
  const isPanel = chance.is(0.3)
  const path = isPanel
    ? `/panel/api/apps/${world.app.label}${chance.is(0.5) ? '/promo/global' : `/campaigns/${campaign}/codes`}`
    : `/api/containers/${chance.is(0.5) ? 'updateGlobalPromoCodes' : `updatePromoCodes/${campaign}`}`
  const body = makeMultipart(chance, boundary)
  return {
    method: 'POST',
    path: `${path}${chance.is(0.5) ? `?${chance.pick(queries)}` : ''}`,
    headers: {
      ...(isPanel ? panelHeaders(world, world.app, false) : { 'x-access-token': world.app.token }),
      'content-type': chance.is(0.05)
        ? chance.pick(['text/csv', 'multipart/form-data', 'multipart/mixed; boundary=cut-here', 'application/json'])
        : `multipart/form-data; boundary=${boundary}`,
    },
    body: chance.is(0.25) ? mutateBytes(chance, body) : body,
  }
}

function makeMultipart(chance: Chance, boundary: string): Buffer {
  const parts = chance.list(0, 2, () => makePart(chance, boundary))
  if (parts.length === 0 && chance.is(0.8)) parts.push(makePart(chance, boundary))
  return Buffer.concat([...parts, Buffer.from(chance.is(0.95) ? `--${boundary}--\r\n` : '')])
}

function makePart(chance: Chance, boundary: string): Buffer {
  const name = chance.is(0.9) ? 'file' : chance.pick(['files', '', 'File', '__proto__', 'x'.repeat(300)])
  const fileName = chance.is(0.9) ? '; filename="codes.csv"' : chance.pick(['', '; filename=', '; filename="../../x"'])
  const type = chance.pick(['text/csv', 'text/plain', 'application/octet-stream', 'application/x-gzip', ''])
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName}\r\nContent-Type: ${type}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), makeFile(chance), Buffer.from('\r\n')])
}

function makeFile(chance: Chance): Buffer {
  const end = chance.pick(lineEnds)
  const isGood = chance.is(0.4)
  const lines = chance.list(0, chance.is(0.05) ? 2_000 : 30, () => makeCode(chance, isGood))
  const text = Buffer.from((isGood ? '' : chance.pick(starts)) + lines.join(isGood ? '\n' : end))
  if (chance.is(0.05)) return Buffer.from(text.toString().toWellFormed(), 'utf16le')
  if (chance.is(0.05)) return Buffer.concat([text, chance.bytes(chance.int(500))])
  return text
}

function makeCode(chance: Chance, isGood: boolean): string {
  const code = `C-${chance.int(5_000)}-${chance.int(100)}`
  if (isGood || chance.is(0.6)) return code
  if (chance.is(0.3)) return `"${code}"`
  return chance.is(0.3) ? 'x'.repeat(chance.int(70_000)) : chance.pick(nastyTexts)
}
