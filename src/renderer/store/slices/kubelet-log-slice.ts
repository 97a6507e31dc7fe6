import type { ActError, Bridge } from '../../../shared/ipc/contract.ts'
import type { KubeletLogView, LogFacts } from '../../../shared/model/kubelet-log.ts'
import type { Result } from '../../../shared/result.ts'
import { requestResult } from '../request-result.ts'
import type { LogFileToSend } from '../log-upload.ts'
import { sendLog } from '../log-upload.ts'
import type { TimeRange } from '../../ui/lanes/lane-geometry.ts'
import type { ViewName } from '../view-name.ts'

export interface KubeletLogSlice {
  readonly logs: readonly LogFacts[]
  /** The log that the view shows; null: the opener. */
  readonly logId: string | null
  readonly logView: KubeletLogView | null
  /** The shown time; null: the whole log. */
  readonly logRange: TimeRange | null
  /** How many marks fit beside each other. */
  readonly logWidth: number
  readonly isOpeningLog: boolean
  /** Why the last log could not be opened; else empty. */
  readonly logError: string
  readonly showLog: (id: string | null) => void
  readonly setLogRange: (range: TimeRange | null) => void
  readonly setLogWidth: (width: number) => void
  readonly openLogPaths: (paths: readonly string[]) => Promise<void>
  readonly openJournal: () => Promise<void>
  /** Asks for files in the dialog of the host. */
  readonly chooseLogs: () => Promise<void>
  /** Sends files of the page's computer; rotated parts in any order. */
  readonly uploadLog: (files: readonly LogFileToSend[]) => Promise<void>
  readonly followLog: (isFollowed: boolean) => Promise<void>
  readonly closeLog: () => Promise<void>
}

interface LogState extends KubeletLogSlice {
  readonly show: (view: ViewName) => void
  readonly addToast: (message: string) => void
}

function withLog(logs: readonly LogFacts[], log: LogFacts): readonly LogFacts[] {
  return [...logs.filter(({ id }) => id !== log.id), log]
}

export function kubeletLogSlice(
  set: (part: Partial<KubeletLogSlice>) => void,
  get: () => LogState,
  bridge: Bridge,
): KubeletLogSlice {
  const showOpened = (opened: LogFacts): void => {
    set({ logs: withLog(get().logs, opened) })
    if (get().logId !== opened.id) get().showLog(opened.id)
  }
  const open = async (request: Promise<Result<LogFacts, ActError>>): Promise<void> => {
    set({ isOpeningLog: true, logError: '' })
    const result = await requestResult(request)
    set({ isOpeningLog: false, logError: result.ok ? '' : result.error.message })
    get().show('log')
    if (result.ok) showOpened(result.value)
  }
  return {
    logs: [],
    logId: null,
    logView: null,
    logRange: null,
    logWidth: 1000,
    isOpeningLog: false,
    logError: '',
    showLog: (logId) => {
      set({ logId, logView: null, logRange: null })
      get().show('log')
    },
    setLogRange: (logRange) => set({ logRange }),
    setLogWidth: (logWidth) => set({ logWidth }),
    openLogPaths: (paths) => open(bridge.request('log.open', { paths })),
    chooseLogs: async () => {
      const result = await requestResult(bridge.request('log.choose', {}))
      if (!result.ok) set({ logError: result.error.message })
      else if (result.value !== null) showOpened(result.value)
    },
    openJournal: () => open(bridge.request('log.openJournal', {})),
    uploadLog: (files) => open(sendLog(bridge, files, showOpened)),
    followLog: async (isFollowed) => {
      const id = get().logId
      if (id === null) return
      const result = await requestResult(bridge.request('log.follow', { id, isFollowed }))
      if (result.ok) set({ logs: withLog(get().logs, result.value) })
      else get().addToast(result.error.message)
    },
    closeLog: async () => {
      const id = get().logId
      if (id === null) return
      set({
        logs: get().logs.filter((log) => log.id !== id),
        logId: null,
        logView: null,
        logRange: null,
      })
      await bridge.request('log.close', { id }).catch(() => null)
    },
  }
}
