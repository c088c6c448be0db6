package org.onesided.verbs.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import org.agrona.UnsafeApi;
import org.onesided.verbs.Errno;
import org.onesided.verbs.Gid;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.MemoryAllowance;
import org.onesided.verbs.posix.Posix;

/**
 * The directory of a context, {@code onesided-<uid>-<gid>}. Only its user may enter it. While its owner lives, it holds
 * a lock on the {@code control} file in it. The directory gets its name only after the owner holds that lock.
 */
final class ContextDirectory implements AutoCloseable
{
    private static final SecureRandom RANDOM = new SecureRandom();
    /** Growth leaves so much of the file system, but no more than a quarter of it: clients make files there, too. */

    private final Path path;
    private final Gid gid;
    private final int fd;
    private final int controlFd;
    private final SharedMapping control;

    private ContextDirectory(
        final Path path, final Gid gid, final int fd, final int controlFd, final SharedMapping control)
    {
        this.path = path;
        this.gid = gid;
        this.fd = fd;
        this.controlFd = controlFd;
        this.control = control;
    }

    static ContextDirectory create()
    {
        final Gid gid = new Gid(RANDOM.nextLong(), RANDOM.nextLong());
        final Path finalPath = ContextPaths.pathOf(Posix.userId(), gid);
        final Path hidden = finalPath.resolveSibling("." + finalPath.getFileName());
        try
        {
            Files.createDirectory(
                hidden, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        catch (final IOException ex)
        {
            throw new VerbsException("open_device", Errno.ENODEV,
                "cannot make a directory for shared memory, see that " + ContextPaths.base() +
                    " is there and writable: " + ex, ex);
        }
        final int fd = Posix.openDirectory(hidden);
        try
        {
            if (fd < 0)
            {
                throw new VerbsException("open_device", -fd, "cannot open the directory just made: path=" + hidden);
            }
            return begin(hidden, finalPath, gid, fd);
        }
        catch (final RuntimeException ex)
        {
            Posix.close(fd);
            ContextCleaner.removeAll(hidden);
            throw ex;
        }
    }

    Path path()
    {
        return path;
    }

    Gid gid()
    {
        return gid;
    }

    int fd()
    {
        return fd;
    }

    long controlAddress()
    {
        return control.address();
    }

    /**
     * @return file descriptor of a new file.
     */
    int create(final String name)
    {
        final int file = Posix.openAt(fd, name, Posix.O_RDWR | Posix.O_CREAT | Posix.O_EXCL);
        if (file < 0)
        {
            throw new VerbsException("open", -file, "cannot make a file: path=" + path.resolve(name));
        }
        return file;
    }

    /**
     * Makes a FIFO and opens it for both ends, so that opening does not wait and the file descriptor stays usable.
     */
    int createFifo(final String name)
    {
        final int errno = -Posix.makeFifo(fd, name);
        final int fifo = errno != 0 ? -errno : Posix.openAt(fd, name, Posix.O_RDWR | Posix.O_NONBLOCK);
        if (fifo < 0)
        {
            throw new VerbsException("mkfifo", -fifo, "cannot make a FIFO: path=" + path.resolve(name));
        }
        return fifo;
    }

    void unlink(final String name)
    {
        Posix.unlinkAt(fd, name);
    }

    /**
     * Reserves all blocks of a file, so that no later access fails because memory is short.
     */
    void reserve(final int file, final String name, final long length)
    {
        reserve(path.getParent(), file, name, 0, length);
    }

    /**
     * Reserves the blocks of a part of a file.
     */
    void reserve(final int file, final String name, final long offset, final long length)
    {
        reserve(path.getParent(), file, name, offset, length);
    }

    /**
     * Checks that a file may grow without taking the room that clients need to connect.
     *
     * @throws VerbsException with {@code ENOSPC} if it may not.
     */
    void checkGrowth(final String name, final long length)
    {
        final Path parent = path.getParent();
        final long total;
        final long left;
        try
        {
            final var store = Files.getFileStore(parent);
            total = store.getTotalSpace();
            left = store.getUsableSpace();
        }
        catch (final IOException ex)
        {
            // The file system itself says when it is full.
            return;
        }
        final long margin = MemoryAllowance.margin(total);
        if (total > 0 && length > left - margin)
        {
            throw new VerbsException("fallocate", Errno.ENOSPC,
                "shared memory is used up, of which some stays free for clients, " + wayOut(parent) + ": wanted=" +
                    length + " kept=" + margin + " file=" + name + " " + room(parent));
        }
    }

    /**
     * Makes the rest of the control file exist, which entries of many regions need.
     */
    void reserveAllRegions()
    {
        reserve(path.getParent(), controlFd, FileNames.CONTROL, ControlDescriptor.FIRST_LENGTH,
            ControlDescriptor.LENGTH - ControlDescriptor.FIRST_LENGTH);
    }

    /**
     * Marks the context dead and removes its files.
     */
    @Override
    public void close()
    {
        UnsafeApi.putLongVolatile(null, control.address() + ControlDescriptor.LIFE_OFFSET, ControlDescriptor.DEAD);
        control.close();
        ContextCleaner.removeAll(path);
        Posix.close(fd);
        Posix.close(controlFd);
    }

    private static ContextDirectory begin(final Path hidden, final Path finalPath, final Gid gid, final int fd)
    {
        final int controlFd =
            Posix.openAt(fd, FileNames.CONTROL, Posix.O_RDWR | Posix.O_CREAT | Posix.O_EXCL);
        SharedMapping control = null;
        try
        {
            if (controlFd < 0 || !Posix.lock(controlFd, Posix.LOCK_EX | Posix.LOCK_NB))
            {
                throw new VerbsException("open_device", controlFd < 0 ? -controlFd : Errno.EBUSY,
                    "cannot make and lock the control file: path=" + hidden);
            }
            final int errno = -Posix.truncate(controlFd, ControlDescriptor.LENGTH);
            if (errno != 0)
            {
                throw new VerbsException("open_device", errno, "cannot size the control file: path=" + hidden);
            }
            reserve(hidden.getParent(), controlFd, FileNames.CONTROL, 0, ControlDescriptor.FIRST_LENGTH);
            control = SharedMapping.of(controlFd, FileNames.CONTROL, ControlDescriptor.LENGTH, true);
            final long address = control.address();
            UnsafeApi.putLong(address + ControlDescriptor.PROCESS_ID_OFFSET, ProcessHandle.current().pid());
            UnsafeApi.putInt(address + ControlDescriptor.VERSION_OFFSET, ControlDescriptor.VERSION);
            UnsafeApi.putLongVolatile(null, address + ControlDescriptor.LIFE_OFFSET, ControlDescriptor.ALIVE);
            Files.move(hidden, finalPath, StandardCopyOption.ATOMIC_MOVE);
            return new ContextDirectory(finalPath, gid, fd, controlFd, control);
        }
        catch (final IOException ex)
        {
            control.close();
            Posix.close(controlFd);
            throw new VerbsException("open_device", Errno.EIO, "cannot rename: path=" + hidden + " " + ex, ex);
        }
        catch (final RuntimeException ex)
        {
            if (control != null)
            {
                control.close();
            }
            Posix.close(controlFd);
            throw ex;
        }
    }

    private static void reserve(
        final Path parent, final int file, final String name, final long offset, final long length)
    {
        final int errno = -Posix.allocate(file, offset, length);
        if (errno != 0)
        {
            throw new VerbsException("fallocate", errno,
                "no room for shared memory, " + wayOut(parent) + ": wanted=" + length + " file=" + name + " " +
                room(parent));
        }
    }

    private static String wayOut(final Path parent)
    {
        return "make it larger with 'mount -o remount,size=SIZE " + parent + "', in a container with --shm-size=SIZE";
    }

    private static String room(final Path parent)
    {
        try
        {
            final var store = Files.getFileStore(parent);
            return parent + " size=" + store.getTotalSpace() + " free=" + store.getUsableSpace();
        }
        catch (final IOException ex)
        {
            return parent + " size=unknown";
        }
    }
}
