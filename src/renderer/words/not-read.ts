import type { SeenView, WatchView } from '../../shared/model/seen-cluster.ts'
import { text } from '../text/text.ts'

const words = text.clusters.watches

/** Why there are no objects of a kind, if they were never read; undefined: they were. */
export function notRead(
  { watches, pluginRun }: SeenView,
  resource: WatchView['resource'],
): { readonly title: string; readonly meaning: string } | undefined {
  const watch = watches.find((one) => one.resource === resource)
  if (watch === undefined || watch.state === 'watching' || watch.lastAt !== null) return undefined
  const { loading, notLoaded } = words.notRead
  const name = words.names[resource]
  const isWaiting = watch.state === 'listing'
  return {
    title: isWaiting ? loading.title(name) : notLoaded.title(name),
    meaning: isWaiting
      ? pluginRun === null
        ? loading.meaning
        : loading.plugin
      : watch.missingRule === ''
        ? notLoaded.away(watch.problem)
        : notLoaded.refused(watch.problem),
  }
}
