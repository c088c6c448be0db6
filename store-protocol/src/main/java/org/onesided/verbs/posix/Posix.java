package org.onesided.verbs.posix;

import static org.onesided.verbs.posix.CLibrary.errno;
import static org.onesided.verbs.posix.CLibrary.retried;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * Files, pipes and FIFOs of the C library; {@link Mappings} has mappings. Each result is checked: a failure that only a
 * defect or a lack of resources causes becomes a {@link VerbsException}; others are returned as a negative errno.
 */
public final class Posix
{
    /** See open(2). */
    public static final int O_RDONLY = 0;
    /** See open(2). */
    public static final int O_WRONLY = 1;
    /** See open(2). */
    public static final int O_RDWR = 2;
    /** See open(2). */
    public static final int O_CREAT = 0100;
    /** See open(2). */
    public static final int O_EXCL = 0200;
    /** See open(2). */
    public static final int O_NONBLOCK = 04000;

    /** See flock(2). */
    public static final int LOCK_SH = 1;
    /** See flock(2). */
    public static final int LOCK_EX = 2;
    /** See flock(2). */
    public static final int LOCK_NB = 4;
    private static final int LOCK_UN = 8;

    /** See poll(2). */
    public static final int POLLIN = 1;
    /** See poll(2). */
    public static final int POLLERR = 8;
    /** See poll(2). */
    public static final int POLLHUP = 0x10;
    /** See poll(2). */
    public static final int POLLNVAL = 0x20;

    /** Error: too many symbolic links. */
    public static final int ELOOP = 40;
    /** Error: not a directory. */
    public static final int ENOTDIR = 20;

    /** Both have one value on x86 and another on ARM; all others are the same. */
    private static final boolean ARM = "aarch64".equals(System.getProperty("os.arch"));
    private static final int O_NOFOLLOW = ARM ? 0x8000 : 0x2_0000;
    private static final int O_DIRECTORY = ARM ? 0x4000 : 0x1_0000;
    private static final int O_CLOEXEC = 0x8_0000;
    private static final int AT_FDCWD = -100;
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int FALLOC_FL_KEEP_SIZE = 1;
    private static final int FALLOC_FL_PUNCH_HOLE = 2;
    private static final int OWNER_ONLY = 0600;

    private Posix()
    {
    }

    /**
     * @return user id of this process.
     */
    public static int userId()
    {
        return PosixCalls.getuid();
    }

    /**
     * @param path of a directory, no symbolic link.
     * @return file descriptor or a negative errno.
     */
    public static int openDirectory(final Path path)
    {
        final int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
        return retried(() -> PosixCalls.openat(AT_FDCWD, path.toString(), flags, 0));
    }

    /**
     * Opens or makes a file that only its owner may use; symbolic links are not followed.
     *
     * @param directory file descriptor.
     * @param name      in the directory.
     * @param flags     of open(2).
     * @return file descriptor or a negative errno.
     */
    public static int openAt(final int directory, final String name, final int flags)
    {
        return retried(() -> PosixCalls.openat(directory, name, flags | O_NOFOLLOW | O_CLOEXEC, OWNER_ONLY));
    }

    /**
     * @param directory file descriptor.
     * @param name      in the directory.
     * @return 0 or a negative errno.
     */
    public static int makeFifo(final int directory, final String name)
    {
        return PosixCalls.mkfifoat(directory, name, OWNER_ONLY) == 0 ? 0 : -errno();
    }

    /**
     * @param directory file descriptor.
     * @param name      in the directory.
     * @return 0 or a negative errno.
     */
    public static int unlinkAt(final int directory, final String name)
    {
        return PosixCalls.unlinkat(directory, name, 0) == 0 ? 0 : -errno();
    }

    /**
     * Closes a file descriptor. An error of close(2) leaves nothing to be done.
     *
     * @param fd file descriptor; a negative one is ignored.
     */
    public static void close(final int fd)
    {
        if (fd >= 0)
        {
            PosixCalls.close(fd);
        }
    }

    /**
     * Lets reads from a file descriptor return at once where there is nothing.
     *
     * @param fd file descriptor.
     * @throws VerbsException if it is none.
     */
    public static void doNotBlock(final int fd)
    {
        final int flags = PosixCalls.fcntl(fd, F_GETFL, 0);
        if (flags < 0 || PosixCalls.fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0)
        {
            throw new VerbsException("fcntl", errno(), "cannot set O_NONBLOCK: fd=" + fd);
        }
    }

    /**
     * Sets a file's length; its blocks need not exist.
     *
     * @param fd     file descriptor.
     * @param length in bytes.
     * @return 0 or a negative errno.
     */
    public static int truncate(final int fd, final long length)
    {
        return retried(() -> PosixCalls.ftruncate(fd, length));
    }

    /**
     * Makes a file's blocks exist.
     *
     * @param fd     file descriptor.
     * @param length in bytes.
     * @return 0 or a negative errno.
     */
    public static int allocate(final int fd, final long length)
    {
        return allocate(fd, 0, length);
    }

    /**
     * Gives the blocks of a part of a file back, which keeps its length.
     *
     * @param fd     file descriptor.
     * @param offset of the part in the file, in bytes.
     * @param length of the part in bytes.
     * @return 0 or a negative errno.
     */
    public static int punch(final int fd, final long offset, final long length)
    {
        return retried(() -> PosixCalls.fallocate(fd, FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE, offset, length));
    }

    /**
     * Makes the blocks of a part of a file exist; blocks that exist stay as they are.
     *
     * @param fd     file descriptor.
     * @param offset of the part in the file, in bytes.
     * @param length of the part in bytes.
     * @return 0 or a negative errno.
     */
    public static int allocate(final int fd, final long offset, final long length)
    {
        return retried(() -> PosixCalls.fallocate(fd, 0, offset, length));
    }

    /**
     * @param fd      file descriptor.
     * @param address to read to.
     * @param length  in bytes.
     * @param offset  in the file.
     * @return whether all bytes were read; false for a file that is too short or cannot be read.
     */
    public static boolean readAt(final int fd, final long address, final long length, final long offset)
    {
        long done = 0;
        while (done < length)
        {
            final long count = PosixCalls.pread(fd, address + done, length - done, offset + done);
            if (count > 0)
            {
                done += count;
            }
            else if (count == 0 || errno() != Errno.EINTR)
            {
                return false;
            }
        }
        return true;
    }

    /**
     * @param fd      file descriptor.
     * @param address to write from.
     * @param length  in bytes.
     * @param offset  in the file.
     * @return whether all bytes were written.
     */
    public static boolean writeAt(final int fd, final long address, final long length, final long offset)
    {
        long done = 0;
        while (done < length)
        {
            final long count = PosixCalls.pwrite(fd, address + done, length - done, offset + done);
            if (count > 0)
            {
                done += count;
            }
            else if (count == 0 || errno() != Errno.EINTR)
            {
                return false;
            }
        }
        return true;
    }

    /**
     * @param fd      file descriptor.
     * @param address to read to.
     * @param length  in bytes.
     * @return bytes read or a negative errno.
     */
    public static long read(final int fd, final long address, final long length)
    {
        final long count = PosixCalls.read(fd, address, length);
        return count >= 0 ? count : -errno();
    }

    /**
     * @param fd      file descriptor.
     * @param address to write from.
     * @param length  in bytes.
     * @return bytes written or a negative errno.
     */
    public static long write(final int fd, final long address, final long length)
    {
        final long count = PosixCalls.write(fd, address, length);
        return count >= 0 ? count : -errno();
    }

    /**
     * @param fd        file descriptor.
     * @param operation of flock(2).
     * @return whether the lock is held now; false if another holds it.
     */
    public static boolean lock(final int fd, final int operation)
    {
        return retried(() -> PosixCalls.flock(fd, operation)) == 0;
    }

    /**
     * @param fd file descriptor whose lock is held.
     */
    public static void unlock(final int fd)
    {
        PosixCalls.flock(fd, LOCK_UN);
    }

    /**
     * Waits for file descriptors.
     *
     * @param fds       address of an array of {@code struct pollfd}.
     * @param count     of its elements.
     * @param timeoutMs in milliseconds, -1 for ever.
     * @return how many have events; 0 also if a signal came.
     * @throws VerbsException if poll(2) fails otherwise.
     */
    public static int poll(final long fds, final int count, final int timeoutMs)
    {
        final int ready = PosixCalls.poll(fds, count, timeoutMs);
        if (ready < 0)
        {
            final int errno = errno();
            if (errno == Errno.EINTR)
            {
                return 0;
            }
            throw new VerbsException("poll", errno, "cannot wait: count=" + count);
        }
        return ready;
    }

    /**
     * Makes a pipe that neither blocks nor outlives exec.
     *
     * @param fds address of two ints that get the file descriptors.
     * @throws VerbsException if there are too many.
     */
    public static void pipe(final long fds)
    {
        if (PosixCalls.pipe2(fds, O_NONBLOCK | O_CLOEXEC) != 0)
        {
            throw new VerbsException("pipe", errno(), "cannot make a pipe");
        }
    }

    /**
     * Asks fstat(2) through the runtime library, which knows the structure's layout.
     *
     * @param fd file descriptor.
     * @return owner, mode with the file's type, and size.
     * @throws VerbsException if it cannot be told.
     */
    public static FileStatus status(final int fd)
    {
        final Path path = Path.of("/proc/self/fd/" + fd);
        try
        {
            final var values = Files.readAttributes(path, "unix:uid,mode,size");
            return new FileStatus(
                ((Number)values.get("uid")).intValue(),
                ((Number)values.get("mode")).intValue(),
                ((Number)values.get("size")).longValue());
        }
        catch (final IOException ex)
        {
            throw new VerbsException("fstat", Errno.EIO, "cannot tell whose file it is: " + ex.getMessage(), ex);
        }
    }
}
