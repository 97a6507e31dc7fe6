/** The channel between tabs of this origin; other origins cannot read it. */
const channelName = 'nodescope.token'
/** Tabs answer within a few milliseconds. */
const answerWithinMs = 400

interface TabMessage {
  readonly ask: boolean
  readonly token: string
}

function isTabMessage(value: unknown): value is TabMessage {
  return typeof value === 'object' && value !== null && 'ask' in value && 'token' in value
}

/** The used part of `BroadcastChannel`. */
export interface TabChannel {
  onmessage: ((event: MessageEvent) => void) | null
  readonly postMessage: (message: unknown) => void
  readonly close: () => void
}

export function openTabChannel(): TabChannel {
  return new BroadcastChannel(channelName)
}

/** Sends the token to tabs that were opened by a link without a token, in the same browser. Returns a function that stops it. */
export function shareToken(channel: TabChannel, token: string): () => void {
  channel.onmessage = ({ data }) => {
    if (isTabMessage(data) && data.ask) channel.postMessage({ ask: false, token })
  }
  return () => channel.close()
}

/** The token of another open tab; undefined if none answers. */
export function askTabsForToken(channel: TabChannel): Promise<string | undefined> {
  return new Promise((resolve) => {
    const end = (token: string | undefined): void => {
      clearTimeout(timer)
      channel.close()
      resolve(token)
    }
    const timer = setTimeout(() => end(undefined), answerWithinMs)
    channel.onmessage = ({ data }) => {
      if (isTabMessage(data) && !data.ask && data.token !== '') end(data.token)
    }
    channel.postMessage({ ask: true, token: '' })
  })
}
