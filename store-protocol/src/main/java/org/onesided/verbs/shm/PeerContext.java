package org.onesided.verbs.shm;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Gid;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.FileStatus;
import org.onesided.verbs.posix.Posix;

/**
 * The context of a peer's process, seen from this one. Shared by all queue pairs that are connected to it.
 */
final class PeerContext
{
    private static final byte RING = 1;

    private final Gid gid;
    private final Path path;
    private final Consumer<SharedMapping> retire;
    private final int directory;
    private final int controlFd;
    private final int lifeFd;
    private final NativeArray ring = new NativeArray(1);
    private SharedMapping control;
    private PeerFiles files;
    private volatile boolean gone;

    private PeerContext(
        final Gid gid,
        final Path path,
        final Consumer<SharedMapping> retire,
        final int directory,
        final int controlFd,
        final int lifeFd,
        final boolean gone)
    {
        this.retire = retire;
        this.gid = gid;
        this.path = path;
        this.directory = directory;
        this.controlFd = controlFd;
        this.lifeFd = lifeFd;
        this.gone = gone;
        UnsafeApi.putByte(ring.range().address(), RING);
    }

    /**
     * Opens a peer's context.
     *
     * @return the context, {@link #isGone() gone} if there is none.
     * @param retire unmaps what no request uses any more.
     * @throws VerbsException with {@code EACCES} if it is another user's.
     */
    static PeerContext open(final Gid gid, final int userId, final Consumer<SharedMapping> retire)
    {
        final Path path = ContextPaths.pathOf(userId, gid);
        final int directory = Posix.openDirectory(path);
        if (directory == -Errno.ENOENT)
        {
            return new PeerContext(gid, path, retire, -1, -1, -1, true);
        }
        if (directory < 0 || !Posix.status(directory).isPrivateDirectory())
        {
            Posix.close(directory);
            throw new VerbsException("modify_qp", Errno.EACCES,
                "the peer belongs to another user, shared memory connects those of one user, run both as the same: " +
                    "path=" + path + " own uid=" + Posix.userId());
        }
        int controlFd = -1;
        int lifeFd = -1;
        try
        {
            // Open the life line first, so that it reports a death between the two steps.
            lifeFd = Posix.openAt(directory, FileNames.LIFE, Posix.O_RDONLY | Posix.O_NONBLOCK);
            controlFd = Posix.openAt(directory, FileNames.CONTROL, Posix.O_RDONLY | Posix.O_NONBLOCK);
            if (lifeFd < 0 || controlFd < 0)
            {
                Posix.close(lifeFd);
                Posix.close(controlFd);
                return new PeerContext(gid, path, retire, directory, -1, -1, true);
            }
            final FileStatus control = Posix.status(controlFd);
            if (!Posix.status(lifeFd).isPrivateFifo() || !control.isPrivateFile() ||
                control.length() < ControlDescriptor.LENGTH)
            {
                throw new VerbsException(
                    "modify_qp", Errno.EACCES, "not a context of this device and user: path=" + path);
            }
            final boolean gone = Posix.lock(controlFd, Posix.LOCK_SH | Posix.LOCK_NB);
            if (gone)
            {
                Posix.unlock(controlFd);
            }
            return new PeerContext(gid, path, retire, directory, controlFd, lifeFd, gone);
        }
        catch (final RuntimeException ex)
        {
            Posix.close(directory);
            Posix.close(lifeFd);
            Posix.close(controlFd);
            throw ex;
        }
    }

    Gid gid()
    {
        return gid;
    }

    int directory()
    {
        return directory;
    }

    int controlFd()
    {
        return controlFd;
    }

    int lifeFd()
    {
        return lifeFd;
    }

    boolean isGone()
    {
        return gone;
    }

    void gone(final boolean value)
    {
        gone = value;
    }

    /**
     * @return address of the peer's control file, mapped for reading.
     */
    synchronized long controlAddress()
    {
        if (control == null)
        {
            control = SharedMapping.of(controlFd, FileNames.CONTROL, ControlDescriptor.LENGTH, false);
        }
        return control.address();
    }

    /**
     * @return the peer's memory files that are mapped.
     */
    synchronized PeerFiles files()
    {
        if (files == null)
        {
            files = new PeerFiles(directory, path, retire);
        }
        return files;
    }

    /**
     * Opens a FIFO of the peer to write to it.
     *
     * @return file descriptor, or less than 0 if there is none.
     */
    int openFifo(final String name)
    {
        if (directory < 0)
        {
            return -1;
        }
        final int fd = Posix.openAt(directory, name, Posix.O_WRONLY | Posix.O_NONBLOCK);
        if (fd >= 0 && !Posix.status(fd).isPrivateFifo())
        {
            Posix.close(fd);
            return -1;
        }
        return fd;
    }

    /**
     * Wakes the reader of a FIFO. A full FIFO has woken it already, and one without a reader has no one to wake.
     */
    void ring(final int fifo)
    {
        if (fifo >= 0)
        {
            Posix.write(fifo, ring.range().address(), 1);
        }
    }

    void close()
    {
        if (files != null)
        {
            files.close();
        }
        if (control != null)
        {
            control.close();
        }
        Posix.close(lifeFd);
        Posix.close(controlFd);
        Posix.close(directory);
        ring.close();
    }
}
