import type { MenuItem } from '../../shared/ipc/contract.ts'
import { text } from '../text/text.ts'
import { isLive } from './offered-views.ts'
import { shownCluster } from './shown-node.ts'
import type { State } from './state.ts'

const words = text.recording.recorder

/** Carries out an item of the File menu, on the shown cluster. If that is not possible, a toast says why. */
export function runMenuItem(item: MenuItem, state: State): void {
  const cluster = shownCluster(state)
  const label = cluster?.label ?? words.noCluster
  switch (item) {
    case 'startRecording':
      if (!isLive(cluster)) return state.addToast(words.notRecorded(label))
      void state.startRecording(cluster.id)
      return undefined
    case 'stopRecording':
      if (cluster?.recorder?.isRunning !== true) return state.addToast(words.notRunning(label))
      void state.stopRecording(cluster.id)
      return undefined
    case 'openRecording':
      if (!isLive(cluster) || cluster.recorder === null)
        return state.addToast(words.nothingToOpen(label))
      void state.openRecording(cluster.id)
      return undefined
    case 'importState':
      return state.askScenario({ kind: item, file: null })
    default:
      return state.askScenario({ kind: item })
  }
}
