#!/bin/sh
# The first program of the emulated machine (scripts/check_kernels.py), in its initial memory file system: loads the
# drivers of the disk and of the console, and goes on from the disk.
PATH=/bin
mount -t devtmpfs devtmpfs /dev
mount -t proc proc /proc
mount -t sysfs sysfs /sys
# In this order; a kernel may have some of them built in.
for driver in virtio_ring virtio virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci virtio_blk virtio_console; do
    [ ! -e "/drivers/$driver.ko" ] || insmod "/drivers/$driver.ko"
done
tries=0
until [ -e /dev/vda ] || [ $tries -ge 50 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
mount -t ext4 /dev/vda /disk
for each in dev proc sys; do
    mount --move /$each /disk/$each
done
exec switch_root /disk /bin/sh /run_tests.sh
