import { assertNever } from '../../../shared/assert-never.ts'
import type { State } from '../../store/state.ts'
import type { PaletteDeed } from './entries.ts'

/** Does what an entry stands for. An act on a pod opens the pod and the act's dialog, no more. */
export function doDeed(
  deed: PaletteDeed,
  { state, copy }: { readonly state: State; readonly copy: (text: string) => Promise<boolean> },
): void {
  switch (deed.kind) {
    case 'show':
      return state.show(deed.view)
    case 'pod':
      if (state.view === 'start') state.show('pods')
      return state.showPod(deed.key)
    case 'ask':
      state.showPod(deed.key)
      return state.askAct({ act: deed.act, key: deed.key, graceSeconds: null })
    case 'clock':
      void state.commandClock(deed.command)
      return undefined
    case 'theme':
      return state.setTheme(deed.theme)
    case 'copy':
      void copy(deed.text).then((isCopied) =>
        state.addToast(isCopied ? deed.said : `Could not copy: ${deed.text}`),
      )
      return undefined
    case 'manifest':
      return state.showManifest(deed.name)
    case 'node':
      return state.showNode(deed.node)
    case 'nodeAct':
      return state.askNodeAct(deed.dialog)
    case 'keys':
      return state.setKeysOpen(true)
    case 'settings':
      return state.setSettingsOpen(true)
    default:
      return assertNever(deed, 'deed')
  }
}
