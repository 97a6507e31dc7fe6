/** The channel on which tabs of this very address talk; no other origin hears it. */
const channelName = 'nodescope.token'
/** Tabs answer within a few milliseconds; a person does not notice the rest. */
const answerWithinMs = 400

interface TabMessage {
  readonly ask: boolean
  readonly token: string
}

function isTabMessage(value: unknown): value is TabMessage {
  return typeof value === 'object' && value !== null && 'ask' in value && 'token' in value
}

/** Where a tab hears the others; `BroadcastChannel` fits. */
export interface TabChannel {
  onmessage: ((event: MessageEvent) => void) | null
  readonly postMessage: (message: unknown) => void
  readonly close: () => void
}

export function openTabChannel(): TabChannel {
  return new BroadcastChannel(channelName)
}

/** Answers tabs that were opened by a link, which holds no token: they are the same person's on the same program. Returns what ends it. */
export function shareToken(channel: TabChannel, token: string): () => void {
  channel.onmessage = ({ data }) => {
    if (isTabMessage(data) && data.ask) channel.postMessage({ ask: false, token })
  }
  return () => channel.close()
}

/** The token of another open tab; undefined where none answers. */
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
