import type { PoolAnswer, PoolRequest } from './pool.ts'

/** One request from its arrival to its answer. It stands in one list at a time: waiting, or a connection's. */
export class Call {
  readonly request: PoolRequest
  readonly settle: (answer: PoolAnswer) => void
  /** The tick at which it entered its list. */
  sinceTick = 0
  previous: Call | undefined = undefined
  next: Call | undefined = undefined
  /** 0 while it is on no connection of HTTP/2. */
  streamId = 0
  /** 0 until the headers of the answer are there. */
  status = 0
  headers: Readonly<Record<string, string | undefined>> | undefined = undefined
  chunks: Buffer[] | undefined = undefined
  bytes = 0
  frames = 0
  interimResponses = 0

  constructor(request: PoolRequest, settle: (answer: PoolAnswer) => void) {
    this.request = request
    this.settle = settle
  }
}

/** Calls in the order of their arrival; a linked list, because each comes and goes thousands of times per second. */
export class CallList {
  length = 0
  first: Call | undefined = undefined
  private last: Call | undefined = undefined

  push(call: Call): void {
    call.previous = this.last
    if (this.last) this.last.next = call
    else this.first = call
    this.last = call
    this.length++
  }

  unshift(call: Call): void {
    call.next = this.first
    if (this.first) this.first.previous = call
    else this.last = call
    this.first = call
    this.length++
  }

  remove(call: Call): void {
    if (call.previous) call.previous.next = call.next
    else this.first = call.next
    if (call.next) call.next.previous = call.previous
    else this.last = call.previous
    call.previous = undefined
    call.next = undefined
    this.length--
  }

  shift(): Call | undefined {
    const call = this.first
    if (call) this.remove(call)
    return call
  }
}
