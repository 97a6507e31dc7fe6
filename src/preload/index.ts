import { contextBridge, ipcRenderer } from 'electron'
import { createIpcBridge } from './ipc-bridge.ts'

contextBridge.exposeInMainWorld('nodescope', createIpcBridge(ipcRenderer))
