# shellcheck shell=bash
# shellcheck disable=SC2034 # "lack" and "remedy" are for those who source this
# Gets what the virtual machine is made of. Sourced after config/launcher.sh, by scripts that wait for it anyway.
#
# The kernel is Debian's, downloaded but not installed. What is needed of it is kept in the cache folder, checked by
# its checksums at each use, and made anew if they do not hold.

cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/onesided/vm
# The number changes with what is kept.
kernel=$cache/kernel-2
# Each program or file, and the package that brings it.
needs='qemu-system-x86_64:qemu-system-x86 setpriv:util-linux busybox:busybox-static modprobe:kmod ip:iproute2 rdma:iproute2
    /etc/libibverbs.d/rxe.driver:ibverbs-providers ibv_devinfo:ibverbs-utils ib_read_lat:perftest
    /usr/include/infiniband/verbs.h:libibverbs-dev gcc:gcc /usr/include/stdio.h:libc6-dev
    mkfs.ext4:e2fsprogs dmsetup:dmsetup'
# In the order of loading. Some kernels have some of them built in, or do without.
modules='virtio_pci 9pnet_virtio 9p overlay'
modules_of_devices='dummy veth sch_netem crc32_generic ib_uverbs rdma_ucm rdma_rxe'
# For tests of power cuts and failing disks.
modules_of_disks='virtio_net virtio_blk crc32c_generic ext4 dm_mod dm_flakey dm_log_writes dm_snapshot'

has()
{
    case $1 in
        /*) [ -e "$1" ] ;;
        # In the initial RAM disk there are no libraries.
        busybox) busybox=$(command -v busybox) && ! ldd "$busybox" >/dev/null 2>&1 ;;
        *) command -v "$1" >/dev/null ;;
    esac
}

# Sets lacking to the packages that are not here.
find_lacking()
{
    local need
    lacking=
    for need in $needs; do
        if ! has "${need%%:*}"; then
            case " $lacking " in
                *" ${need##*:} "*) ;;
                *) lacking="$lacking${lacking:+ }${need##*:}" ;;
            esac
        fi
    done
}

# Gets all that is missing, if it may. Otherwise returns 1 and says in lack what is missing, in remedy what to do.
prepare()
{
    # Debian keeps some of these where only root's PATH looks.
    PATH=$PATH:/usr/sbin:/sbin
    if [ "$(uname -m)" != x86_64 ]; then
        lack="the virtual machine runs on x86-64 only, this is $(uname -m)"
        remedy='run it on such a machine'
        return 1
    fi
    find_lacking
    if [ -n "$lacking" ] && may_install; then
        # shellcheck disable=SC2086 # a list
        if ! (install_packages $lacking); then
            lack="could not install $lacking"
            remedy="see what apt-get said above, then run: tests/vm/run-in-vm --prepare"
            return 1
        fi
        find_lacking
    fi
    if [ -n "$lacking" ]; then
        lack="not installed here: $lacking"
        remedy="sudo apt-get install --no-install-recommends $lacking"
        return 1
    fi
    has_kernel || get_kernel
}

has_kernel()
{
    [ -f "$kernel/sums" ] && (CDPATH='' cd -- "$kernel" && sha256sum --quiet -c sums) >/dev/null 2>&1
}

# One at a time, since others may be about to do the same.
get_kernel()
{
    if ! mkdir -p -- "$cache"; then
        lack="cannot make the cache folder $cache"
        remedy='make room for it, or name another in XDG_CACHE_HOME'
        return 1
    fi
    (
        flock 8 || exit
        has_kernel && exit
        # What was left by those that were killed.
        rm -rf -- "$kernel" "$cache"/new.*
        new=$(mktemp -d "$cache/new.XXXXXX") || exit
        trap 'rm -rf -- "$new"' EXIT
        trap 'exit 130' INT
        trap 'exit 143' TERM HUP
        make_kernel "$new" && mv -T -- "$new/kernel" "$kernel"
    ) 8>"$cache/lock" && return
    lack="could not get Debian's kernel, see above"
    remedy='with a network, as root on Debian, run: apt-get update && tests/vm/run-in-vm --prepare'
    return 1
}

# Prints the package of Debian's present kernel.
kernel_package()
{
    apt-cache depends linux-image-amd64 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-.*\)/\1/p' | sed -n 1p
}

# Makes $1/kernel. Each step is checked by itself, since "set -e" does not work below a condition.
make_kernel()
{
    local new=$1 package archive release problem
    command -v apt-cache >/dev/null || { say 'there is no apt here to download the kernel with'; return 1; }
    package=$(kernel_package)
    if [ -z "$package" ] && may_install; then
        apt-get -qq update || true
        package=$(kernel_package)
    fi
    [ -n "$package" ] || { say 'the package lists of apt have no linux-image-amd64'; return 1; }
    say "downloading the virtual machine's kernel, $package, to $cache (some 70 MB, for a moment 150 MB) ..."
    if ! (cd -- "$new" && apt-get -qq download "$package" 2>download.log); then
        # The lists may be older than the package that the server has now.
        if ! may_install || ! apt-get -qq update || ! package=$(kernel_package) ||
            ! (cd -- "$new" && apt-get -qq download "$package" 2>download.log); then
            cat -- "$new/download.log" >&2
            return 1
        fi
    fi
    archive=$(echo "$new"/*.deb)
    # Of the drivers only those of block devices, infiniband, md, net and virtio, with a few whose names begin so.
    if ! problem=$({
        dpkg-deb --fsys-tarfile "$archive" | tar -x -C "$new" --exclude='*/kernel/drivers/[!bimnv]*' \
            --exclude='*/kernel/drivers/media/*' --exclude='*/kernel/drivers/net/*/*' --exclude='*/kernel/sound/*' --exclude='./usr/share/*'
    } 2>&1 | tail -n 2); then
        say "could not unpack $package: $problem"
        return 1
    fi
    # Where both places are one, older kernels use the one and newer kernels the other.
    mkdir -p -- "$new/lib" "$new/usr/lib" "$new/kernel/modules" || return 1
    [ -e "$new/lib/modules" ] || ln -s ../usr/lib/modules "$new/lib/modules" || return 1
    [ -e "$new/usr/lib/modules" ] || ln -s ../../lib/modules "$new/usr/lib/modules" || return 1
    release=$(basename -- "$new"/lib/modules/*)
    depmod -b "$new" "$release" || return 1
    # shellcheck disable=SC2086 # lists
    copy_modules $modules $modules_of_devices $modules_of_disks &&
        grep -q '^rdma_rxe' "$new/kernel/modules/order" && grep -q '^ext4' "$new/kernel/modules/order" || return 1
    cp -- "$new/boot/vmlinuz-$release" "$new/kernel/vmlinuz" || return 1
    (cd -- "$new/kernel" && find . -type f ! -name sums -exec sha256sum -- {} + >../sums && mv -- ../sums .)
}

# Copies modules and what they need, unpacked, and lists them in the order of loading.
copy_modules()
{
    local module path name
    for module; do
        modprobe -d "$new" -S "$release" --show-depends "$module" 2>>"$new/modprobe.log" || true
    done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | awk '!seen[$0]++' >"$new/order" || return 1
    while read -r path; do
        name=$(basename -- "$path")
        case $name in
            *.xz) name=${name%.xz} && "$busybox" unxz -c "$path" >"$new/kernel/modules/$name" || return 1 ;;
            *) cp -- "$path" "$new/kernel/modules/$name" || return 1 ;;
        esac
        echo "$name" >>"$new/kernel/modules/order"
    done <"$new/order"
}
