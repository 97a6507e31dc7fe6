import type { State } from '../../store/state.ts'
import { viewNames } from '../../store/view-name.ts'
import type { Store } from '../../store/create-store.ts'
import { canApply } from '../../store/offered-views.ts'
import { hasSeveralNodes, shownCluster, shownSeen } from '../../store/shown-node.ts'
import { views } from './views.ts'

/** Replays the followed cause; false if there is none. */
function replay(store: Store, direction: 'forward' | 'back'): boolean {
  const state = store.state.getState()
  if (state.view !== 'flow' || state.follow.kind !== 'cause') return false
  state.replay(direction)
  return true
}

/** Opens the section that was read last, or closes the handbook; false in the Handbook view. */
function toggleHandbook(state: State): boolean {
  if (state.view === 'handbook') return false
  if (state.isHandbookOpen) state.closeHandbook()
  else state.openSection(state.section)
  return true
}

function command(store: Store, kind: 'toggle' | 'step' | 'faster' | 'slower'): boolean {
  const state = store.state.getState()
  if (shownCluster(state)?.clock.virtual !== true) return false
  void state.commandClock({ kind })
  return true
}

/** Handles the keys of the whole window; true if it handled this one. The views handle their own letters. */
export function pressFrameKey(store: Store, key: string): boolean {
  const state = store.state.getState()
  const view = viewNames.find((name) => key !== '' && views[name][1] === key)
  if (view !== undefined) {
    state.show(view)
    return true
  }
  if (key === 'Y') {
    const cluster = shownCluster(state)
    if (!canApply(cluster)) return false
    state.openApply(cluster.id)
    return true
  }
  switch (key.length === 1 ? key.toLowerCase() : key) {
    case 'p':
      return command(store, 'toggle')
    case '.':
      return (
        (shownCluster(state)?.clock.paused !== true && replay(store, 'forward')) ||
        command(store, 'step')
      )
    case 'n':
      if (shownSeen(state) !== undefined) state.show('nodes')
      if (shownSeen(state) !== undefined) return true
      if (!hasSeveralNodes(state)) return false
      state.setNodesOpen(true)
      return true
    case ',':
      return replay(store, 'back')
    case '+':
    case '=':
      return command(store, 'faster')
    case '-':
      return command(store, 'slower')
    case '?':
      state.setOpenDialog('keys')
      return true
    case 'h':
      return toggleHandbook(state)
    case 'Escape':
      // The handbook closes before the drawer.
      if (state.isHandbookOpen) {
        state.closeHandbook()
        return true
      }
      if (!state.isDrawerOpen) return false
      state.closeDrawer()
      return true
    default:
      return false
  }
}
