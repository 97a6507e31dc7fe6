import { defined } from '../../../shared/json.ts'
import { assertNever } from '../../../shared/assert-never.ts'
import { runMenuItem } from '../../store/run-menu-item.ts'
import type { State } from '../../store/state.ts'
import { text } from '../../text/text.ts'
import type { PaletteAction } from './entries.ts'

/** Runs the action of an entry. An act on a pod only opens the pod and the act's dialog. */
export function runAction(
  action: PaletteAction,
  { state, copy }: { readonly state: State; readonly copy: (text: string) => Promise<boolean> },
): void {
  switch (action.kind) {
    case 'show':
      return state.show(action.view)
    case 'pod':
      if (state.view === 'start') state.show('pods')
      return state.showPod(action.key)
    case 'ask':
      state.showPod(action.key)
      return state.askAct({
        act: action.act,
        key: action.key,
        ...defined({ container: action.container }),
        graceSeconds: null,
      })
    case 'behavior':
      return state.showBehavior(action.of)
    case 'clock':
      void state.commandClock(action.command)
      return undefined
    case 'theme':
      return state.setTheme(action.theme)
    case 'copy':
      void copy(action.text).then((isCopied) =>
        state.addToast(isCopied ? action.said : text.palette.copyFailed(action.text)),
      )
      return undefined
    case 'manifest':
      return state.showManifest(action.name)
    case 'node':
      return state.showNode(action.node)
    case 'nodeAct':
      return state.askNodeAct(action.dialog)
    case 'faults':
      return state.openFaults(action.cluster)
    case 'apply':
      return state.openApply(action.cluster)
    case 'switchCluster':
      return state.setSwitcherOpen(true)
    case 'allowChanges':
      return state.setAllowOpen(true)
    case 'endChanges':
      void state.endChanges(action.cluster)
      return undefined
    case 'closeCluster':
      void state.closeCluster(action.cluster)
      return undefined
    case 'startRecording':
      void state.startRecording(action.cluster)
      return undefined
    case 'stopRecording':
      void state.stopRecording(action.cluster)
      return undefined
    case 'openRecording':
      void state.openRecording(action.cluster)
      return undefined
    case 'joinCluster':
      state.show('nodes')
      return state.setJoinOpen(true)
    case 'leaveCluster':
      return state.askLeave(action.cluster)
    case 'seenNodeAct':
      return state.askSeenNodeAct(action.dialog)
    case 'section':
      return state.openSection(action.section)
    case 'scenario':
      return runMenuItem(action.item, state)
    case 'openLog':
      return state.showLog(null)
    case 'dialog':
      return state.setOpenDialog(action.dialog)
    default:
      return assertNever(action, 'palette action')
  }
}
