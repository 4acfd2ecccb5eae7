import { createServer } from 'node:net'

/** The peer, as a process: aedes as its manual shows it, with its own persistence in memory. */
interface Broker {
  handle: Parameters<typeof createServer>[1]
}

// A package of the bench, which is not there before the bench has been run once.
const name = 'aedes'
const { Aedes } = (await import(name)) as { Aedes: { createBroker(): Promise<Broker> } }
const broker = await Aedes.createBroker()
createServer(broker.handle).listen(Number(process.argv[2]), '127.0.0.1')
