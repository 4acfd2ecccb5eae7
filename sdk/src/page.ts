import { Connection, type ConnectionStatus, type Identity } from './connection.ts'
import { Emitter } from './emitter.ts'
import type { Message } from './message.ts'
import { clearMessage } from './notification/clear-message.ts'
import { type DrawnNotification, drawMessage } from './notification/draw-notification.ts'
import { askBuildHook, askOpenHook, type BuildHook, type NotifiedMessage, type OpenHook } from './notification/hooks.ts'
import { type OpenedNotification, pageAddress, readOpening, receiptOf } from './notification/open-notification.ts'
import { mayShow, showNotification } from './notification/page-notifications.ts'
import { type ShownNotification, showOnce } from './notification/show-once.ts'
import { Reporter } from './reporter.ts'
import { PeykError, type Service } from './rest.ts'
import { Retry } from './retry.ts'
import { Database } from './store/database.ts'
import { keepMessage } from './store/inbox.ts'
import { claim } from './store/seen.ts'
import { changeState, type Installation } from './store/state.ts'
import { isHeld, leaderLock, type Question, TabChannel, type TabMessage, visibleLock } from './tab-channel.ts'
import { findWorker, type WorkerPlace } from './worker-registration.ts'

export interface PeykEvents {
  /** A message came by the connection. Every tab hears it, once. */
  message: Message
  /** A notification was shown, or could not be. */
  notification: ShownNotification
  /** A message was recalled: it is out of the inbox, and its notification off the screen. Every tab hears it. */
  recall: { messageId: string }
  connection: ConnectionStatus
}

export interface PageOptions {
  appId: string
  service: Service
  workerPlace: WorkerPlace
}

/**
 * One tab of the app. Among all of them one leads: it holds the connection, shows what comes, and answers for the hooks;
 * the others hear of it. When it is closed the next one leads.
 */
export class Page {
  readonly database: Database
  readonly reporter: Reporter
  readonly events = new Emitter<PeykEvents>()
  buildHook: BuildHook | undefined
  openHook: OpenHook | undefined
  status: ConnectionStatus = { state: 'stopped' }
  /** Told when another tab changed the user or the installation, and when the service does not know us any more. */
  onChanged: (why: 'other-tab' | 'forgotten') => Promise<void> = async () => undefined
  /** Told when the service can be reached again. */
  onBack: () => void = () => undefined
  private readonly options: PageOptions
  private readonly channel: TabChannel
  private readonly connection: Connection
  private readonly reporting: Retry
  private readonly end = new AbortController()
  private identity: Identity | undefined
  /** Notifications that this page shows itself, by message. */
  private readonly shownHere = new Map<string, Notification>()
  private isLeading = false
  private isStarted = false
  private stopShowing: () => void = () => undefined

  constructor(options: PageOptions) {
    this.options = options
    this.database = new Database(options.appId)
    this.reporter = new Reporter(this.database, options.appId)
    this.channel = new TabChannel(options.appId)
    this.reporting = new Retry(() => this.report())
    this.reporter.onAdded = () => this.reporting.add()
    this.connection = new Connection({
      onMessage: (message, userId) => this.receive(message, userId),
      onClear: (messageId) => this.clear(messageId),
      onStatus: (status) => this.tell({ kind: 'connection', status }),
      onRefused: () => this.onChanged('forgotten'),
    })
  }

  /** Takes part from now on, as this installation; called again when its user is another one. */
  use({ id: installationId, userId }: Installation): void {
    if (this.isStopped) return
    const { appId, service } = this.options
    this.identity = { appId, userId, installationId, ...service }
    if (this.isLeading) this.connection.start(this.identity)
    this.reporting.wake()
    if (this.isStarted) return
    this.isStarted = true
    this.channel.listen((message) => this.hear(message))
    this.listenToBrowser()
    this.lead()
    this.channel.post({ kind: 'hello' })
  }

  tellOthers(): void {
    this.channel.post({ kind: 'installation' })
  }

  get isStopped(): boolean {
    return this.end.signal.aborted
  }

  stop(): void {
    this.end.abort()
    this.isLeading = false
    this.stopShowing()
    this.reporting.stop()
    // Before the connection, whose end is nothing to the other tabs: the next one leads.
    this.channel.close()
    this.connection.stop()
  }

  private async report(): Promise<void> {
    try {
      await this.reporter.flush()
    } catch (error) {
      if (error instanceof PeykError && error.status === 404) void this.onChanged('forgotten')
      throw error
    }
  }

  private lead(): void {
    const { signal } = this.end
    const untilTheEnd = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    navigator.locks
      .request(leaderLock(this.options.appId), { signal }, async () => {
        this.isLeading = true
        await this.tellLateOpenings()
        await this.lookWhoIsVisible()
        if (this.identity && !this.isStopped) this.connection.start(this.identity)
        await untilTheEnd
      })
      .catch((error: Error) => {
        if (error.name !== 'AbortError') reportError(error)
      })
  }

  /** Acknowledged after it was kept and shown: a tab that is closed in between gets it again. */
  private async receive(message: Message, userId: string): Promise<void> {
    if (await keepMessage(this.database, message, userId)) this.tell({ kind: 'message', message })
    const drawn = drawMessage(message)
    if (drawn) await this.show(drawn, { ...message })
  }

  private async show(drawn: DrawnNotification, message: NotifiedMessage): Promise<void> {
    const shown = await showOnce(drawn, {
      appId: this.options.appId,
      database: this.database,
      reporter: this.reporter,
      mayShow,
      build: () => askBuildHook(this.buildHook, drawn, message),
      show: async (final) => {
        const worker = await findWorker(this.options.workerPlace)
        const own = await showNotification(final, worker, (notification, kind) => void this.settle(notification, kind))
        if (own) this.shownHere.set(final.marks.messageId, own)
      },
    })
    if (shown) this.tell({ kind: 'notification', shown })
  }

  private async clear(messageId: string): Promise<void> {
    const { appId, workerPlace } = this.options
    await clearMessage(messageId, { appId, database: this.database, registration: await findWorker(workerPlace) })
    this.tell({ kind: 'recall', messageId })
  }

  /** Of a notification that a page showed; those of the service worker are settled there. */
  private async settle(notification: Notification, kind: 'click' | 'close'): Promise<void> {
    const opened = readOpening(notification, kind, '')
    if (opened) this.shownHere.delete(opened.messageId)
    if (!opened || !(await claim(this.database, 'settled', opened.messageId))) return
    await this.reporter.addReceipt(receiptOf(opened, Date.now()))
    const { isPrevented } = await askOpenHook(this.openHook, opened)
    if (isPrevented || opened.kind === 'dismissed') return
    const address = pageAddress(opened.url, location.href)
    if (address === undefined) window.focus()
    else window.open(address, '_blank', 'noopener')
  }

  /** The app was closed when it was opened: nothing can be prevented any more, but the app wants to know. */
  private async tellLateOpenings(): Promise<void> {
    let actions: OpenedNotification[] = []
    await changeState(this.database, 'opened', (before) => {
      actions = before ?? []
      return undefined
    })
    for (const action of actions) await askOpenHook(this.openHook, action)
  }

  private hear(message: TabMessage): void {
    switch (message.kind) {
      case 'message':
      case 'notification':
      case 'recall':
      case 'connection':
        this.notice(message)
        break
      case 'hello':
        if (this.isLeading) this.channel.post({ kind: 'connection', status: this.connection.status })
        break
      case 'installation':
        void this.onChanged('other-tab')
        break
      case 'visibility':
        void this.lookWhoIsVisible()
        break
      case 'question':
        if (this.isLeading && Date.now() < message.until) void this.answer(message.id, message.question)
    }
  }

  private async answer(id: string, question: Question): Promise<void> {
    const answer =
      question.about === 'build'
        ? await askBuildHook(this.buildHook, question.drawn, question.message)
        : await askOpenHook(this.openHook, question.action)
    this.channel.post({ kind: 'answer', id, answer })
  }

  /** To this tab and to all others. */
  private tell(message: Extract<TabMessage, { kind: keyof PeykEvents }>): void {
    this.notice(message)
    this.channel.post(message)
  }

  private notice(message: Extract<TabMessage, { kind: keyof PeykEvents }>): void {
    if (message.kind === 'message') this.events.emit('message', message.message)
    else if (message.kind === 'notification') this.events.emit('notification', message.shown)
    else if (message.kind === 'recall') {
      const { messageId } = message
      this.shownHere.get(messageId)?.close()
      this.shownHere.delete(messageId)
      this.events.emit('recall', { messageId })
    } else if (JSON.stringify(message.status) !== JSON.stringify(this.status)) {
      this.status = message.status
      if (message.status.state === 'connected') this.comeBack()
      this.events.emit('connection', message.status)
    }
  }

  private listenToBrowser(): void {
    const { signal } = this.end
    const look = () => {
      if (document.visibilityState === 'visible') {
        this.holdVisible()
        this.comeBack()
      } else this.stopShowing()
    }
    window.addEventListener('online', () => this.comeBack(), { signal })
    document.addEventListener('visibilitychange', look, { signal })
    look()
  }

  private comeBack(): void {
    this.connection.hurry()
    this.reporting.wake()
    if (this.isLeading) this.onBack()
  }

  /** A lock that each visible tab holds a share of: it is given up however the tab ends. */
  private holdVisible(): void {
    this.stopShowing()
    const hidden = new AbortController()
    this.stopShowing = () => hidden.abort()
    const untilHidden = new Promise<void>((resolve) => hidden.signal.addEventListener('abort', () => resolve()))
    const announce = () => {
      this.channel.post({ kind: 'visibility' })
      void this.lookWhoIsVisible()
    }
    navigator.locks
      .request(visibleLock(this.options.appId), { mode: 'shared' }, () => {
        announce()
        return untilHidden
      })
      .then(announce, () => undefined)
  }

  private async lookWhoIsVisible(): Promise<void> {
    if (this.isLeading) this.connection.showVisibility(await isHeld(visibleLock(this.options.appId)))
  }
}
