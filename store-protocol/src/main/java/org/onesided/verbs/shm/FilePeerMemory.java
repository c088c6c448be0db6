package org.onesided.verbs.shm;

import static org.onesided.verbs.shm.RegionEntryDescriptor.*;

import org.agrona.UnsafeApi;
import org.onesided.verbs.Access;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.posix.Posix;

/**
 * The memory of an untrusted peer, accessed by system calls: if the peer truncates the file, they fail instead of
 * killing the process.
 */
final class FilePeerMemory extends PeerMemory
{
    private static final int NONE = -1;

    private final PeerContext peer;
    private final NativeArray buffer = new NativeArray(RegionEntryDescriptor.LENGTH);
    private final long entry = buffer.range().address();
    private int file = NONE;
    private boolean fileWritable;
    private int fd = -1;
    private int foundKey;
    private long foundOffset;

    FilePeerMemory(final PeerContext peer)
    {
        this.peer = peer;
    }

    @Override
    boolean find(final int key, final long address, final long length, final int access, final int domain)
    {
        if (!readEntry(key))
        {
            return false;
        }
        final long regionLength = UnsafeApi.getLong(entry + LENGTH_OFFSET);
        final long offset = address - UnsafeApi.getLong(entry + ADDRESS_OFFSET);
        final long offsetInFile = UnsafeApi.getLong(entry + OFFSET_IN_FILE_OFFSET);
        if ((UnsafeApi.getInt(entry + ACCESS_OFFSET) & access) == 0 ||
            UnsafeApi.getInt(entry + DOMAIN_OFFSET) != domain || offset < 0 || regionLength < 0 ||
            length > regionLength || offset > regionLength - length ||
            offsetInFile < 0 || offsetInFile > Long.MAX_VALUE - offset - length ||
            !open(UnsafeApi.getInt(entry + FILE_OFFSET), (access & Access.REMOTE_WRITE) != 0))
        {
            return false;
        }
        foundKey = key;
        foundOffset = offsetInFile + offset;
        return true;
    }

    @Override
    boolean read(final long offset, final long target, final long length)
    {
        return Posix.readAt(fd, target, length, foundOffset + offset);
    }

    /**
     * Never makes the file longer: a range beyond its end would cost the peer's memory and not be what was registered.
     */
    @Override
    boolean write(final long offset, final long source, final long length)
    {
        return foundOffset + offset + length <= Posix.status(fd).length() &&
            Posix.writeAt(fd, source, length, foundOffset + offset);
    }

    @Override
    boolean isStillThere()
    {
        return readEntry(foundKey);
    }

    @Override
    boolean isMarkedDead()
    {
        return !Posix.readAt(peer.controlFd(), entry, Long.BYTES, ControlDescriptor.LIFE_OFFSET) ||
            UnsafeApi.getLong(entry) != ControlDescriptor.ALIVE;
    }

    @Override
    long compareAndSwap(final long compare, final long swap)
    {
        throw new UnsupportedOperationException("atomics on the memory of an untrusted peer are refused when posted");
    }

    @Override
    long fetchAndAdd(final long delta)
    {
        throw new UnsupportedOperationException("atomics on the memory of an untrusted peer are refused when posted");
    }

    @Override
    public void close()
    {
        Posix.close(fd);
        fd = -1;
        file = NONE;
        buffer.close();
    }

    private boolean readEntry(final int key)
    {
        return key != 0 &&
            Posix.readAt(
                peer.controlFd(), entry, RegionEntryDescriptor.LENGTH, ControlDescriptor.entryOffset(key)) &&
            UnsafeApi.getInt(entry + KEY_OFFSET) == key;
    }

    private boolean open(final int wanted, final boolean writable)
    {
        if (file != wanted || writable && !fileWritable)
        {
            Posix.close(fd);
            file = NONE;
            final int flags = (writable ? Posix.O_RDWR : Posix.O_RDONLY) | Posix.O_NONBLOCK;
            fd = Posix.openAt(peer.directory(), FileNames.memory(wanted), flags);
            if (fd < 0 || !Posix.status(fd).isPrivateFile())
            {
                return false;
            }
            file = wanted;
            fileWritable = writable;
        }
        return true;
    }
}
