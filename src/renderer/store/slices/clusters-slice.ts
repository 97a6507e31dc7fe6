import type { ActError, Bridge, Requests } from '../../../shared/ipc/contract.ts'
import type {
  KubeconfigSource,
  KubeconfigView,
  PluginQuestion,
} from '../../../shared/model/seen/kubeconfigs.ts'
import type { RightsView } from '../../../shared/model/seen/rights.ts'
import { ok } from '../../../shared/result.ts'
import { requestResult } from '../request-result.ts'

/** A kubeconfig in the list: one that main lists, or one that was dropped or pasted on this page. */
export type ListedKubeconfig = Omit<KubeconfigView, 'source'> & {
  readonly source: KubeconfigSource
}

/** One context of a kubeconfig, to open. */
export interface ContextChoice {
  readonly source: KubeconfigSource
  readonly context: string
  readonly color: number | null
}

/** What the API server lets the user do in a cluster, as it was last asked. */
export interface AskedRights {
  readonly cluster: string
  readonly isAsking: boolean
  readonly view: RightsView | null
  readonly problem: string
}

export interface ClustersSlice {
  /** Null until main has sent them. */
  readonly kubeconfigs: readonly ListedKubeconfig[] | null
  /** `sourceId` of the kubeconfig whose contexts are shown; empty: the first that has any. */
  readonly chosenKubeconfig: string
  readonly chooseKubeconfig: (id: string) => void
  /** Why the list, or the last dropped text, could not be read; else empty. */
  readonly kubeconfigsProblem: string
  /** `contextId` of the context that is opening; empty for none. */
  readonly openingContext: string
  /** By `contextId`: why it could not be opened. */
  readonly openProblems: Readonly<Record<string, string>>
  /** Asked before a credential plugin runs for the first time. */
  readonly pluginQuestion: {
    readonly choice: ContextChoice
    readonly question: PluginQuestion
  } | null
  readonly isSwitcherOpen: boolean
  readonly isAllowOpen: boolean
  readonly isAllowing: boolean
  readonly allowProblem: string
  readonly rights: AskedRights | null
  readonly listKubeconfigs: () => Promise<void>
  readonly readKubeconfig: (source: KubeconfigSource) => Promise<void>
  readonly forgetKubeconfig: (path: string) => Promise<void>
  readonly openContext: (choice: ContextChoice, confirmedPlugin?: string) => Promise<void>
  readonly cancelPlugin: () => void
  readonly closeCluster: (cluster: string) => Promise<void>
  /** The dialog of the shown cluster, over its nodes. */
  readonly isJoinOpen: boolean
  readonly setJoinOpen: (isOpen: boolean) => void
  readonly checkJoin: (
    args: Requests['cluster.checkJoin']['args'],
  ) => Promise<Requests['cluster.checkJoin']['reply']>
  /** The joined cluster is shown as soon as it is there. */
  readonly joinCluster: (
    args: Requests['cluster.join']['args'],
  ) => Promise<Requests['cluster.join']['reply']>
  readonly startRecording: (cluster: string) => Promise<void>
  readonly stopRecording: (cluster: string) => Promise<void>
  /** Opens the last recording of a cluster, and shows it. */
  readonly openRecording: (cluster: string) => Promise<void>
  /** Id of the joined cluster whose end is asked for; null for none. */
  readonly leavingCluster: string | null
  readonly askLeave: (cluster: string | null) => void
  readonly leaveCluster: (cluster: string, deleteNode: boolean) => Promise<void>
  readonly setSwitcherOpen: (isOpen: boolean) => void
  readonly setAllowOpen: (isOpen: boolean) => void
  readonly allowChanges: (cluster: string) => Promise<void>
  readonly endChanges: (cluster: string) => Promise<void>
  readonly askRights: (cluster: string) => Promise<void>
}

interface ClustersState extends ClustersSlice {
  readonly addToast: (message: string) => void
}

/** A kubeconfig as one text, for keys. */
export function sourceId(source: KubeconfigSource): string {
  switch (source.kind) {
    case 'file':
      return `file ${source.path}`
    case 'text':
      return `text ${source.name} ${source.text.length}`
    default:
      return source.kind
  }
}

/** A context as one text, for keys. */
export function contextId({ source, context }: Pick<ContextChoice, 'source' | 'context'>): string {
  return `${sourceId(source)} ${context}`
}

type Set = (part: Partial<ClustersSlice & { readonly awaitedCluster: string | null }>) => void

export function clustersSlice(set: Set, get: () => ClustersState, bridge: Bridge): ClustersSlice {
  const fail = (choice: ContextChoice, { message }: ActError): void =>
    set({
      openingContext: '',
      openProblems: { ...get().openProblems, [contextId(choice)]: message },
    })
  return {
    kubeconfigs: null,
    kubeconfigsProblem: '',
    chosenKubeconfig: '',
    chooseKubeconfig: (chosenKubeconfig) => set({ chosenKubeconfig }),
    openingContext: '',
    openProblems: {},
    pluginQuestion: null,
    isSwitcherOpen: false,
    isAllowOpen: false,
    isAllowing: false,
    allowProblem: '',
    rights: null,
    listKubeconfigs: async () => {
      const listed = await requestResult(bridge.request('kubeconfigs.list', {}).then(ok))
      if (!listed.ok) return set({ kubeconfigsProblem: listed.error.message })
      const dropped = (get().kubeconfigs ?? []).filter(({ source }) => source.kind === 'text')
      return set({ kubeconfigs: [...listed.value, ...dropped], kubeconfigsProblem: '' })
    },
    readKubeconfig: async (source) => {
      const read = await requestResult(bridge.request('kubeconfigs.read', { source }))
      if (!read.ok) return set({ kubeconfigsProblem: read.error.message })
      const others = (get().kubeconfigs ?? []).filter(
        (view) => sourceId(view.source) !== sourceId(source),
      )
      return set({
        kubeconfigs: [...others, { ...read.value, source }],
        kubeconfigsProblem: '',
        chosenKubeconfig: sourceId(source),
      })
    },
    forgetKubeconfig: async (path) => {
      await bridge.request('kubeconfigs.forget', { path }).catch(() => null)
      await get().listKubeconfigs()
    },
    openContext: async (choice, confirmedPlugin) => {
      if (get().openingContext !== '') return undefined
      const { [contextId(choice)]: _, ...openProblems } = get().openProblems
      set({ openingContext: contextId(choice), pluginQuestion: null, openProblems })
      const { source, context, color } = choice
      const answer = await requestResult(
        bridge.request('cluster.open', {
          source,
          context,
          color,
          confirmedPlugin: confirmedPlugin ?? null,
        }),
      )
      if (!answer.ok) return fail(choice, answer.error)
      if (answer.value.kind === 'confirmPlugin')
        return set({
          openingContext: '',
          pluginQuestion: { choice, question: answer.value.question },
        })
      return set({ openingContext: '', awaitedCluster: answer.value.cluster })
    },
    cancelPlugin: () => set({ pluginQuestion: null }),
    closeCluster: async (cluster) => {
      const result = await requestResult(bridge.request('cluster.close', { cluster }))
      get().addToast(result.ok ? result.value.message : result.error.message)
    },
    isJoinOpen: false,
    setJoinOpen: (isJoinOpen) => set({ isJoinOpen }),
    checkJoin: async (args) => requestResult(bridge.request('cluster.checkJoin', args)),
    joinCluster: async (args) => {
      const joined = await requestResult(bridge.request('cluster.join', args))
      if (joined.ok) set({ awaitedCluster: joined.value.cluster })
      return joined
    },
    startRecording: async (cluster) => {
      const started = await requestResult(bridge.request('recording.start', { cluster }))
      get().addToast(started.ok ? started.value.message : started.error.message)
    },
    stopRecording: async (cluster) => {
      const stopped = await requestResult(bridge.request('recording.stop', { cluster }))
      if (!stopped.ok) get().addToast(stopped.error.message)
    },
    openRecording: async (cluster) => {
      const opened = await requestResult(bridge.request('recording.open', { cluster }))
      if (opened.ok) set({ awaitedCluster: opened.value.cluster })
      else get().addToast(opened.error.message)
    },
    leavingCluster: null,
    askLeave: (leavingCluster) => set({ leavingCluster }),
    leaveCluster: async (cluster, deleteNode) => {
      set({ leavingCluster: null })
      const left = await requestResult(bridge.request('cluster.leave', { cluster, deleteNode }))
      get().addToast(left.ok ? left.value.message : left.error.message)
    },
    setSwitcherOpen: (isSwitcherOpen) => set({ isSwitcherOpen }),
    setAllowOpen: (isAllowOpen) => set({ isAllowOpen, allowProblem: '' }),
    allowChanges: async (cluster) => {
      if (get().isAllowing) return
      set({ isAllowing: true, allowProblem: '' })
      const result = await requestResult(bridge.request('cluster.allowChanges', { cluster }))
      set({
        isAllowing: false,
        ...(result.ok ? { isAllowOpen: false } : { allowProblem: result.error.message }),
      })
    },
    endChanges: async (cluster) => {
      const ended = await requestResult(bridge.request('cluster.endChanges', { cluster }).then(ok))
      if (!ended.ok) get().addToast(ended.error.message)
    },
    askRights: async (cluster) => {
      const before = get().rights
      const view = before?.cluster === cluster ? before.view : null
      set({ rights: { cluster, isAsking: true, view, problem: '' } })
      const answer = await requestResult(
        bridge.request('cluster.rights', { cluster, namespace: null }),
      )
      if (get().rights?.cluster !== cluster) return
      set({
        rights: answer.ok
          ? { cluster, isAsking: false, view: answer.value, problem: '' }
          : { cluster, isAsking: false, view, problem: answer.error.message },
      })
    },
  }
}
