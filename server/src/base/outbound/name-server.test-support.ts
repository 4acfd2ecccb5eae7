import { createSocket } from 'node:dgram'
import { onTestFinished } from 'vitest'

const typeA = 1
const typeAaaa = 28

/** A name server on this machine. A name that is missing does not exist; one without a list gets no answer at all. */
export async function startNameServer(names: Record<string, string[] | undefined>): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const labels: string[] = []
    let at = 12
    for (let size = query[at] as number; size > 0; size = query[at] as number) {
      labels.push(query.toString('latin1', at + 1, at + 1 + size))
      at += size + 1
    }
    const name = labels.join('.').toLowerCase()
    if (name in names && names[name] === undefined) return
    const type = query.readUInt16BE(at + 1)
    const records = (names[name] ?? [])
      .filter((address) => (address.includes(':') ? typeAaaa : typeA) === type)
      .map((address) => record(type, address))
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(name in names ? 0x8180 : 0x8183, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(records.length, 6)
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...records]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => void socket.close())
  return `127.0.0.1:${socket.address().port}`
}

function record(type: number, address: string): Buffer {
  const data = type === typeA ? Buffer.from(address.split('.').map(Number)) : bytesOf6(address)
  const head = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length])
  return Buffer.concat([head, data])
}

function bytesOf6(address: string): Buffer {
  const [left = '', right = ''] = address.split('::')
  const groups = (text: string) => (text ? text.split(':') : [])
  const zeros = Array(8 - groups(left).length - groups(right).length).fill('0')
  const all = address.includes('::') ? [...groups(left), ...zeros, ...groups(right)] : groups(address)
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
