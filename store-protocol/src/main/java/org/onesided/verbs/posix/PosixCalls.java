package org.onesided.verbs.posix;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.LastError;
import com.kenai.jffi.Library;
import com.kenai.jffi.Type;
import java.nio.charset.Charset;
import java.util.Arrays;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;

/**
 * The functions of the C library that the devices call. Addresses and {@code size_t} are {@code long}, as on all 64-bit
 * Linux.
 *
 * <p>These are calls of jffi itself, which passes each argument in a register: a function takes the lower half for an
 * {@code int}, and the upper half of an {@code int} that it returns is not defined. An interface of jnr-ffi does the
 * same by classes that it generates as the program starts, which took a fifth of the time of a short {@code kvctl}.
 */
final class PosixCalls
{
    private static final Invoker INVOKER = Invoker.getInstance();
    private static final LastError LAST_ERROR = LastError.getInstance();
    /** What this process has loaded: Java itself needs the C library. */
    private static final Library PROCESS = Library.getDefault();
    private static final CallContext ARGUMENTS_0 = context(0);
    private static final CallContext ARGUMENTS_1 = context(1);
    private static final CallContext ARGUMENTS_2 = context(2);
    private static final CallContext ARGUMENTS_3 = context(3);
    private static final CallContext ARGUMENTS_4 = context(4);
    private static final CallContext ARGUMENTS_5 = context(5);
    private static final CallContext ARGUMENTS_6 = context(6);

    private static final long OPENAT = address("openat");
    private static final long CLOSE = address("close");
    private static final long FCNTL = address("fcntl");
    private static final long FALLOCATE = address("fallocate");
    private static final long FTRUNCATE = address("ftruncate");
    private static final long MMAP = address("mmap");
    private static final long MADVISE = address("madvise");
    private static final long MUNMAP = address("munmap");
    private static final long PREAD = address("pread");
    private static final long PWRITE = address("pwrite");
    private static final long READ = address("read");
    private static final long WRITE = address("write");
    private static final long FLOCK = address("flock");
    private static final long MKFIFOAT = address("mkfifoat");
    private static final long POLL = address("poll");
    private static final long PIPE2 = address("pipe2");
    private static final long UNLINKAT = address("unlinkat");
    private static final long SYSCALL = address("syscall");
    private static final long CLOCK_GETTIME = address("clock_gettime");
    private static final long SOCKET = address("socket");
    private static final long SETSOCKOPT = address("setsockopt");
    private static final long SENDTO = address("sendto");
    private static final long GETUID = address("getuid");

    private PosixCalls()
    {
    }

    /**
     * @return errno, as this thread's last call left it.
     */
    static int errno()
    {
        return LAST_ERROR.get();
    }

    /**
     * See openat(2).
     *
     * @param directory file descriptor.
     * @param path      relative to it.
     * @param flags     of open(2).
     * @param mode      of a file that is made.
     * @return file descriptor or -1.
     */
    static int openat(final int directory, final String path, final int flags, final int mode)
    {
        final long text = nativeText(path);
        try
        {
            return (int)INVOKER.invokeL4(ARGUMENTS_4, OPENAT, directory, text, flags, mode);
        }
        finally
        {
            UnsafeApi.freeMemory(text);
        }
    }

    /**
     * See close(2).
     *
     * @param fd file descriptor.
     * @return 0 or -1.
     */
    static int close(final int fd)
    {
        return (int)INVOKER.invokeL1(ARGUMENTS_1, CLOSE, fd);
    }

    /**
     * See fcntl(2).
     *
     * @param fd       file descriptor.
     * @param command  what to do.
     * @param argument of the command.
     * @return what the command returns, or -1.
     */
    static int fcntl(final int fd, final int command, final int argument)
    {
        return (int)INVOKER.invokeL3(ARGUMENTS_3, FCNTL, fd, command, argument);
    }

    /**
     * See fallocate(2).
     *
     * @param fd     file descriptor.
     * @param mode   flags.
     * @param offset in bytes.
     * @param length in bytes.
     * @return 0 or -1.
     */
    static int fallocate(final int fd, final int mode, final long offset, final long length)
    {
        return (int)INVOKER.invokeL4(ARGUMENTS_4, FALLOCATE, fd, mode, offset, length);
    }

    /**
     * See ftruncate(2).
     *
     * @param fd     file descriptor.
     * @param length in bytes.
     * @return 0 or -1.
     */
    static int ftruncate(final int fd, final long length)
    {
        return (int)INVOKER.invokeL2(ARGUMENTS_2, FTRUNCATE, fd, length);
    }

    /**
     * See mmap(2).
     *
     * @param address    wanted, or 0.
     * @param length     in bytes.
     * @param protection flags.
     * @param flags      flags.
     * @param fd         file descriptor.
     * @param offset     in the file.
     * @return address or -1.
     */
    static long mmap(
        final long address, final long length, final int protection, final int flags, final int fd, final long offset)
    {
        return INVOKER.invokeL6(ARGUMENTS_6, MMAP, address, length, protection, flags, fd, offset);
    }

    /**
     * See madvise(2).
     *
     * @param address of whole pages.
     * @param length  in bytes.
     * @param advice  one of the kernel's numbers.
     * @return 0 or -1.
     */
    static int madvise(final long address, final long length, final int advice)
    {
        return (int)INVOKER.invokeL3(ARGUMENTS_3, MADVISE, address, length, advice);
    }

    /**
     * See munmap(2).
     *
     * @param address of a mapping.
     * @param length  in bytes.
     * @return 0 or -1.
     */
    static int munmap(final long address, final long length)
    {
        return (int)INVOKER.invokeL2(ARGUMENTS_2, MUNMAP, address, length);
    }

    /**
     * See pread(2).
     *
     * @param fd     file descriptor.
     * @param buffer address.
     * @param count  in bytes.
     * @param offset in the file.
     * @return bytes read or -1.
     */
    static long pread(final int fd, final long buffer, final long count, final long offset)
    {
        return INVOKER.invokeL4(ARGUMENTS_4, PREAD, fd, buffer, count, offset);
    }

    /**
     * See pwrite(2).
     *
     * @param fd     file descriptor.
     * @param buffer address.
     * @param count  in bytes.
     * @param offset in the file.
     * @return bytes written or -1.
     */
    static long pwrite(final int fd, final long buffer, final long count, final long offset)
    {
        return INVOKER.invokeL4(ARGUMENTS_4, PWRITE, fd, buffer, count, offset);
    }

    /**
     * See read(2).
     *
     * @param fd     file descriptor.
     * @param buffer address.
     * @param count  in bytes.
     * @return bytes read or -1.
     */
    static long read(final int fd, final long buffer, final long count)
    {
        return INVOKER.invokeL3(ARGUMENTS_3, READ, fd, buffer, count);
    }

    /**
     * See write(2).
     *
     * @param fd     file descriptor.
     * @param buffer address.
     * @param count  in bytes.
     * @return bytes written or -1.
     */
    static long write(final int fd, final long buffer, final long count)
    {
        return INVOKER.invokeL3(ARGUMENTS_3, WRITE, fd, buffer, count);
    }

    /**
     * See flock(2).
     *
     * @param fd        file descriptor.
     * @param operation flags.
     * @return 0 or -1.
     */
    static int flock(final int fd, final int operation)
    {
        return (int)INVOKER.invokeL2(ARGUMENTS_2, FLOCK, fd, operation);
    }

    /**
     * See mkfifoat(3).
     *
     * @param directory file descriptor.
     * @param path      relative to it.
     * @param mode      of the FIFO.
     * @return 0 or -1.
     */
    static int mkfifoat(final int directory, final String path, final int mode)
    {
        final long text = nativeText(path);
        try
        {
            return (int)INVOKER.invokeL3(ARGUMENTS_3, MKFIFOAT, directory, text, mode);
        }
        finally
        {
            UnsafeApi.freeMemory(text);
        }
    }

    /**
     * See poll(2).
     *
     * @param fds       address of an array of {@code struct pollfd}.
     * @param count     of its elements.
     * @param timeoutMs in milliseconds, -1 for ever.
     * @return how many have events, or -1.
     */
    static int poll(final long fds, final long count, final int timeoutMs)
    {
        return (int)INVOKER.invokeL3(ARGUMENTS_3, POLL, fds, count, timeoutMs);
    }

    /**
     * See pipe2(2).
     *
     * @param fds   address of two ints that get the file descriptors.
     * @param flags of open(2).
     * @return 0 or -1.
     */
    static int pipe2(final long fds, final int flags)
    {
        return (int)INVOKER.invokeL2(ARGUMENTS_2, PIPE2, fds, flags);
    }

    /**
     * See unlinkat(2).
     *
     * @param directory file descriptor.
     * @param path      relative to it.
     * @param flags     flags.
     * @return 0 or -1.
     */
    static int unlinkat(final int directory, final String path, final int flags)
    {
        final long text = nativeText(path);
        try
        {
            return (int)INVOKER.invokeL3(ARGUMENTS_3, UNLINKAT, directory, text, flags);
        }
        finally
        {
            UnsafeApi.freeMemory(text);
        }
    }

    /**
     * See syscall(2), for what has no function in the C library.
     *
     * @param number of the system call.
     * @param first  argument of it.
     * @param second argument of it.
     * @param third  argument of it.
     * @return what the system call returns, or -1.
     */
    static long syscall(final long number, final long first, final long second, final long third)
    {
        return INVOKER.invokeL4(ARGUMENTS_4, SYSCALL, number, first, second, third);
    }

    /**
     * See clock_gettime(2).
     *
     * @param clock one of the kernel's numbers.
     * @param time  address of a {@code struct timespec}.
     * @return 0 or -1.
     */
    static int clock_gettime(final int clock, final long time)
    {
        return (int)INVOKER.invokeL2(ARGUMENTS_2, CLOCK_GETTIME, clock, time);
    }

    /**
     * See socket(2).
     *
     * @param domain   family of addresses.
     * @param type     of the socket, with flags.
     * @param protocol of the family.
     * @return file descriptor or -1.
     */
    static int socket(final int domain, final int type, final int protocol)
    {
        return (int)INVOKER.invokeL3(ARGUMENTS_3, SOCKET, domain, type, protocol);
    }

    /**
     * See setsockopt(2).
     *
     * @param fd     file descriptor.
     * @param level  of the option.
     * @param option one of the kernel's numbers.
     * @param value  address of the option's value.
     * @param length of the value in bytes.
     * @return 0 or -1.
     */
    static int setsockopt(final int fd, final int level, final int option, final long value, final int length)
    {
        return (int)INVOKER.invokeL5(ARGUMENTS_5, SETSOCKOPT, fd, level, option, value, length);
    }

    /**
     * See sendto(2).
     *
     * @param fd            file descriptor.
     * @param buffer        address of the message.
     * @param count         of its bytes.
     * @param flags         flags.
     * @param address       address of the receiver's {@code struct sockaddr}.
     * @param addressLength of it in bytes.
     * @return bytes sent or -1.
     */
    static long sendto(
        final int fd,
        final long buffer,
        final long count,
        final int flags,
        final long address,
        final int addressLength)
    {
        return INVOKER.invokeL6(ARGUMENTS_6, SENDTO, fd, buffer, count, flags, address, addressLength);
    }

    /**
     * See getuid(2).
     *
     * @return user id of this process.
     */
    static int getuid()
    {
        return (int)INVOKER.invokeL0(ARGUMENTS_0, GETUID);
    }

    private static CallContext context(final int arguments)
    {
        final Type[] types = new Type[arguments];
        Arrays.fill(types, Type.SINT64);
        return CallContext.getCallContext(Type.SINT64, types, CallingConvention.DEFAULT, true);
    }

    private static long address(final String function)
    {
        final long address = PROCESS.getSymbolAddress(function);
        if (address == 0)
        {
            throw new UnsatisfiedLinkError("the C library has no such function: function=" + function);
        }
        return address;
    }

    /** A C string, which the caller frees. */
    private static long nativeText(final String text)
    {
        if (text.indexOf('\0') >= 0)
        {
            throw new IllegalArgumentException("a path must not have a NUL: length=" + text.length());
        }
        final byte[] bytes = text.getBytes(Charset.defaultCharset());
        final long address = UnsafeApi.allocateMemory(bytes.length + 1);
        UnsafeApi.copyMemory(bytes, BufferUtil.ARRAY_BASE_OFFSET, null, address, bytes.length);
        UnsafeApi.putByte(address + bytes.length, (byte)0);
        return address;
    }
}
