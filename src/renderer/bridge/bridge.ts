import type { Bridge } from '../../shared/ipc/contract.ts'
import { tokenProtocolPrefix, webSocketPath, webSocketProtocol } from '../../shared/ipc/wire.ts'
import { text } from '../text/text.ts'
import { browserSocket } from './page-socket.ts'
import { findToken, forgetToken, keepToken, tokenOfHash } from './token.ts'
import { askTabsForToken, openTabChannel, shareToken } from './tab-token.ts'
import { WebSocketBridge } from './web-socket-bridge.ts'

declare global {
  interface Window {
    /** Set by the preload script; absent in a browser. */
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
  // Another Nodescope may use the port now.
  bridge.onRefused(() => {
    stopSharing?.()
    forgetToken(page)
  })
  if (token === undefined) {
    void askTabsForToken(openTabChannel()).then((found) => {
      if (found === undefined) {
        bridge.refuse(text.frame.connection.noToken)
        return
      }
      keepToken(page, found)
      page.location.reload()
    })
  } else {
    bridge.start()
  }
  // Another token in this tab's address changes only the fragment, which does not reload the page.
  page.addEventListener('hashchange', () => {
    if (tokenOfHash(page.location.hash) !== undefined) page.location.reload()
  })
  return bridge
}

/** The connection to main: Electron's bridge if the preload script set one, else a WebSocket to the page's server. */
export function connectBridge(page: Window = window): Bridge {
  return page.nodescope ?? connectWebSocket(page)
}
