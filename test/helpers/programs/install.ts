import { findChromium } from './chromium.ts'
import { installByApt, mayUseApt } from './install-program.ts'
import { installMosquitto } from './mosquitto.ts'
import { installNats } from './nats.ts'

/** Installs what the tests use and an ordinary user cannot install. Where apt-get is missing, the tests do without. */
if (mayUseApt()) {
  if (findChromium() === undefined) installByApt(['chromium'])
  installMosquitto()
  installNats()
}
