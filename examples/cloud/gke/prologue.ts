/** Makes the driver's libraries visible, which GKE mounts outside the usual folders. */
export const prologue = [
  'export LD_LIBRARY_PATH=/usr/local/nvidia/lib64:$LD_LIBRARY_PATH',
  'export PATH=$PATH:/usr/local/nvidia/bin:/usr/local/nvidia/lib64',
  '/sbin/ldconfig',
];
