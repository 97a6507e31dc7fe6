import type { Bridge } from '../../shared/ipc/contract.ts'
import { tokenProtocolPrefix, webSocketPath, webSocketProtocol } from '../../shared/ipc/wire.ts'
import { browserSocket } from './page-socket.ts'
import { findToken, forgetToken, keepToken, tokenOfHash } from './token.ts'
import { askTabsForToken, openTabChannel, shareToken } from './tab-token.ts'
import { WebSocketBridge } from './web-socket-bridge.ts'

declare global {
  interface Window {
    /** Put there by the preload; absent in a browser. */
    readonly nodescope?: Bridge
  }
}

function connectWebSocket(page: Window): Bridge {
  const token = findToken(page)
  let stopSharing: (() => void) | undefined
  const bridge = new WebSocketBridge({
    openSocket: browserSocket(`ws://${page.location.host}${webSocketPath}`, [
      webSocketProtocol,
      `${tokenProtocolPrefix}${token ?? ''}`,
    ]),
    onAccepted: () => {
      if (token === undefined) return
      keepToken(page, token)
      stopSharing ??= shareToken(openTabChannel(), token)
    },
  })
  // Another Nodescope may have taken the port of the one that this tab was opened by.
  bridge.onRefused(() => {
    stopSharing?.()
    forgetToken(page)
  })
  if (token === undefined) {
    void askTabsForToken(openTabChannel()).then((found) => {
      if (found === undefined) {
        bridge.refuse('Access token missing: open the full address that Nodescope printed.')
        return
      }
      keepToken(page, found)
      page.location.reload()
    })
  } else {
    bridge.start()
  }
  // Another token put into the address of this tab changes only the fragment, which loads nothing.
  page.addEventListener('hashchange', () => {
    if (tokenOfHash(page.location.hash) !== undefined) page.location.reload()
  })
  return bridge
}

/** The way to main: Electron's bridge where the preload gave one, else a WebSocket to where the page came from. */
export function connectBridge(page: Window = window): Bridge {
  return page.nodescope ?? connectWebSocket(page)
}
