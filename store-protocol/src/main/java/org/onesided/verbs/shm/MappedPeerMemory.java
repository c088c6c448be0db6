package org.onesided.verbs.shm;

import static org.onesided.verbs.shm.RegionEntryDescriptor.*;

import org.agrona.UnsafeApi;
import org.onesided.verbs.Access;
import org.onesided.verbs.soft.MemoryCopy;
import org.onesided.verbs.soft.RegionTable;

/**
 * A peer's memory, mapped into this process.
 */
final class MappedPeerMemory extends PeerMemory
{
    private static final int FIRST_CACHE_LENGTH = 16;
    private static final int WRITING = Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;

    private final PeerContext peer;
    private final long controlAddress;
    /** By the low bits of keys, as long as keeps regions that are in use apart. */
    private Resolved[] cache = new Resolved[FIRST_CACHE_LENGTH];
    private Resolved found;
    private long foundAddress;

    MappedPeerMemory(final PeerContext peer)
    {
        this.peer = peer;
        controlAddress = peer.controlAddress();
    }

    @Override
    boolean find(final int key, final long address, final long length, final int access, final int domain)
    {
        Resolved resolved = cache[key & cache.length - 1];
        if (resolved == null || resolved.key != key || resolved.mapping.isRetired() ||
            (access & WRITING) != 0 && !resolved.writable ||
            UnsafeApi.getIntVolatile(null, resolved.entry + KEY_OFFSET) != key)
        {
            resolved = resolve(key, (access & WRITING) != 0);
            if (resolved == null)
            {
                cache[key & cache.length - 1] = null;
                return false;
            }
            keep(resolved);
        }
        final long offset = address - resolved.address;
        if ((resolved.access & access) == 0 || resolved.domain != domain ||
            offset < 0 || length > resolved.length || offset > resolved.length - length)
        {
            return false;
        }
        found = resolved;
        foundAddress = resolved.mapped + offset;
        return true;
    }

    @Override
    long localAddress(final int key, final long address, final long length, final int domain)
    {
        return find(key, address, length, Access.REMOTE_READ, domain) ? foundAddress : 0;
    }

    @Override
    boolean read(final long offset, final long target, final long length)
    {
        MemoryCopy.read(foundAddress + offset, target, length);
        return true;
    }

    @Override
    boolean write(final long offset, final long source, final long length)
    {
        MemoryCopy.write(source, foundAddress + offset, length);
        return true;
    }

    @Override
    boolean isStillThere()
    {
        return UnsafeApi.getIntVolatile(null, found.entry + KEY_OFFSET) == found.key;
    }

    @Override
    boolean isMarkedDead()
    {
        return UnsafeApi.getLongVolatile(null, controlAddress + ControlDescriptor.LIFE_OFFSET) !=
            ControlDescriptor.ALIVE;
    }

    @Override
    long compareAndSwap(final long compare, final long swap)
    {
        long old;
        do
        {
            old = UnsafeApi.getLongVolatile(null, foundAddress);
        }
        while (old == compare && !UnsafeApi.compareAndSetLong(null, foundAddress, compare, swap));
        return old;
    }

    @Override
    long fetchAndAdd(final long delta)
    {
        return UnsafeApi.getAndAddLong(null, foundAddress, delta);
    }

    @Override
    public void close()
    {
        // The mappings belong to the peer's context.
        found = null;
    }

    private void keep(final Resolved resolved)
    {
        final Resolved other = cache[resolved.key & cache.length - 1];
        if (other != null && other.key != resolved.key && cache.length < RegionTable.CAPACITY &&
            !other.mapping.isRetired() && UnsafeApi.getIntVolatile(null, other.entry + KEY_OFFSET) == other.key)
        {
            final Resolved[] before = cache;
            cache = new Resolved[2 * before.length];
            for (final Resolved each : before)
            {
                if (each != null)
                {
                    cache[each.key & cache.length - 1] = each;
                }
            }
        }
        cache[resolved.key & cache.length - 1] = resolved;
    }

    private Resolved resolve(final int key, final boolean writable)
    {
        final long entry = controlAddress + ControlDescriptor.entryOffset(key);
        if (key == 0 || UnsafeApi.getIntVolatile(null, entry + KEY_OFFSET) != key)
        {
            return null;
        }
        final int access = UnsafeApi.getInt(entry + ACCESS_OFFSET);
        final int domain = UnsafeApi.getInt(entry + DOMAIN_OFFSET);
        final int file = UnsafeApi.getInt(entry + FILE_OFFSET);
        final long address = UnsafeApi.getLong(entry + ADDRESS_OFFSET);
        final long length = UnsafeApi.getLong(entry + LENGTH_OFFSET);
        final long offset = UnsafeApi.getLong(entry + OFFSET_IN_FILE_OFFSET);
        UnsafeApi.loadFence();
        if (UnsafeApi.getIntVolatile(null, entry + KEY_OFFSET) != key || writable && (access & WRITING) == 0)
        {
            return null;
        }
        final SharedMapping mapping = peer.files().map(file, writable);
        if (mapping == null || offset < 0 || length < 0 || length > mapping.length() ||
            offset > mapping.length() - length)
        {
            return null;
        }
        return new Resolved(key, access, domain, address, length, mapping.address() + offset, entry, writable,
            mapping);
    }

    /**
     * A region of the peer that was found in its table.
     */
    private static final class Resolved
    {
        private final int key;
        private final int access;
        private final int domain;
        private final long address;
        private final long length;
        private final long mapped;
        private final long entry;
        private final boolean writable;
        private final SharedMapping mapping;

        Resolved(
            final int key,
            final int access,
            final int domain,
            final long address,
            final long length,
            final long mapped,
            final long entry,
            final boolean writable,
            final SharedMapping mapping)
        {
            this.key = key;
            this.access = access;
            this.domain = domain;
            this.address = address;
            this.length = length;
            this.mapped = mapped;
            this.entry = entry;
            this.writable = writable;
            this.mapping = mapping;
        }
    }
}
