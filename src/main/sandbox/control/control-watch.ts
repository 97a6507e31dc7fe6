import { equalJson, isJsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { KubeRequest, KubeResponse, WatchEvent } from '../../../shared/kubernetes/request.ts'
import { systemClock } from '../../clock/system-clock.ts'
import type { CancelTimer } from '../../kubelet/ports.ts'
import { WatchFeed } from '../watch-feed.ts'

/** In real time: the page and the API change these objects, which have no versions of their own. */
const lookAgainMs = 250

const capacity = { events: 1000, size: 1_000_000 }

/** What is news: the time itself changes always. */
function newsOf(object: KubeObject): unknown {
  const { spec, status } = object
  return { spec, lastRun: isJsonObject(status) ? status['lastRun'] : undefined }
}

/** A watch of the only object of a kind: as it is, unless the client names a version, and then each change of it. */
export function controlWatch(
  read: () => KubeObject,
  { query = {} }: Pick<KubeRequest, 'query'>,
  toEvent: (type: 'ADDED' | 'MODIFIED', object: KubeObject) => WatchEvent,
): KubeResponse {
  let known = newsOf(read())
  let cancel: CancelTimer = () => undefined
  const { resourceVersion = '', timeoutSeconds = '' } = query
  const feed = new WatchFeed({
    initial: ['', '0'].includes(resourceVersion) ? [toEvent('ADDED', read())] : [],
    capacity,
    overflow: () => toEvent('MODIFIED', read()),
    onEnd: () => {
      cancel()
    },
  })
  const look = (): void => {
    const object = read()
    const news = newsOf(object)
    if (!equalJson(news, known)) {
      known = news
      feed.push(toEvent('MODIFIED', object))
    }
    cancel = systemClock.after(lookAgainMs, look)
  }
  cancel = systemClock.after(lookAgainMs, look)
  const seconds = Number(timeoutSeconds)
  if (seconds > 0)
    feed.onEnd(
      systemClock.after(seconds * 1000, () => {
        feed.close()
      }),
    )
  return { kind: 'watch', status: 200, stream: feed.stream }
}
