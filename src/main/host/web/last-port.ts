import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../kubelet/ports.ts'

const fileName = 'dashboard-port'

/**
 * The port of the last dashboard of this data folder; undefined if there was none. It is reused, because a browser stores
 * settings (theme, first start seen) for an address with its port.
 */
export function lastPort(dataFolder: string): number | undefined {
  try {
    const port = Number(readFileSync(join(dataFolder, fileName), 'utf8').trim())
    return Number.isInteger(port) && port > 1023 && port <= 65_535 ? port : undefined
  } catch {
    return undefined // the first start
  }
}

/** Saves the port of an address for the next start. A failure loses only settings in the browser. */
export function rememberPort(dataFolder: string, address: string, log: Log): void {
  try {
    writeFileSync(join(dataFolder, fileName), `${new URL(address).port}\n`, { mode: 0o600 })
  } catch (error) {
    log.warn('cannot save the port of the dashboard', { error: String(error) })
  }
}
