import { connect, type Socket } from 'node:net'

const mostLines = 256

type Answered = (status: number, body: string) => void

/**
 * HTTP/1.1 over kept connections, one request at a time on each, for answers with a Content-Length. Node's own client
 * costs as much as the service that it asks.
 */
export class HttpLines {
  private readonly host: string
  private readonly port: number
  private readonly idle: Line[] = []
  private readonly waiting: [text: string, answered: Answered][] = []
  private open = 0

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.host = hostname
    this.port = Number(port)
  }

  post(path: string, body: string, answered: Answered): void {
    const head = `POST ${path} HTTP/1.1\r\nHost: ${this.host}:${this.port}\r\nContent-Type: application/json`
    const text = `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    const line = this.idle.pop() ?? this.openLine()
    if (line) this.askOn(line, text, answered)
    else this.waiting.push([text, answered])
  }

  private openLine(): Line | undefined {
    if (this.open === mostLines) return undefined
    this.open++
    return new Line(connect(this.port, this.host).setNoDelay(true))
  }

  private askOn(line: Line, text: string, answered: Answered): void {
    line.ask(text, (status, body) => {
      answered(status, body)
      const next = this.waiting.shift()
      const free = status > 0 ? line : this.replaceLine()
      if (next && free) this.askOn(free, ...next)
      else if (free) this.idle.push(free)
    })
  }

  private replaceLine(): Line | undefined {
    this.open--
    return this.waiting.length > 0 ? this.openLine() : undefined
  }
}

class Line {
  private readonly socket: Socket
  private received = ''
  private answered: Answered | undefined

  constructor(socket: Socket) {
    this.socket = socket.setEncoding('latin1')
    socket.on('data', (chunk) => this.receive(String(chunk)))
    socket.on('error', (error) => this.end(0, error.message))
    socket.on('close', () => this.end(0, 'the connection was closed'))
  }

  ask(text: string, answered: Answered): void {
    this.answered = answered
    this.socket.write(text)
  }

  private receive(chunk: string): void {
    this.received += chunk
    const start = this.received.indexOf('\r\n\r\n') + 4
    if (start < 4) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.received)?.[1])
    if (this.received.length < start + length) return
    const body = this.received.slice(start, start + length)
    const status = Number(this.received.slice(9, 12))
    this.received = ''
    this.end(status, body)
  }

  private end(status: number, text: string): void {
    const { answered } = this
    this.answered = undefined
    answered?.(status, text)
  }
}
