/** The words of the WebSocket between the page and the web host: JSON text frames, one message each. */

/** Where the WebSocket is served. */
export const webSocketPath = '/ws'

/** The subprotocol that the server selects; the page offers it together with its token. */
export const webSocketProtocol = 'nodescope.v1'

/** Prefix of the offered subprotocol that carries the token: kept out of URLs, so out of logs and history. */
export const tokenProtocolPrefix = 'nodescope.token.'

/** Close code of a refused token; the close reason is a sentence for the user. */
export const refusedCloseCode = 4401

/** Page -> main. `id` is the page's own and comes back with the reply. */
export interface RequestFrame {
  readonly id: number
  readonly name: string
  readonly args: unknown
}

/** Main -> page: first that it is accepted; then replies, refusals (`id` null: the frame could not be read) and events. */
export type ServerFrame =
  | { readonly accepted: true }
  | { readonly id: number; readonly reply: unknown }
  | { readonly id: number | null; readonly error: string }
  | { readonly event: string; readonly payload: unknown }
