/** Electron's IPC channels: one for requests, one for events, one by which a page (re)connects. */
export const requestChannel = 'nodescope:request'
export const eventChannel = 'nodescope:event'
export const connectChannel = 'nodescope:connect'
