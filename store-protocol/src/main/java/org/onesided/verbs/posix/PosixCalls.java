package org.onesided.verbs.posix;

import jnr.ffi.Pointer;

/**
 * The functions of the C library that the device calls. Addresses and {@code size_t} are {@code long}, as on all 64-bit
 * Linux.
 */
public interface PosixCalls
{
    /**
     * See openat(2).
     *
     * @param directory file descriptor.
     * @param path      relative to it.
     * @param flags     of open(2).
     * @param mode      of a file that is made.
     * @return file descriptor or -1.
     */
    int openat(int directory, CharSequence path, int flags, int mode);

    /**
     * See close(2).
     *
     * @param fd file descriptor.
     * @return 0 or -1.
     */
    int close(int fd);

    /**
     * See fcntl(2).
     *
     * @param fd       file descriptor.
     * @param command  what to do.
     * @param argument of the command.
     * @return what the command returns, or -1.
     */
    int fcntl(int fd, int command, int argument);

    /**
     * See fallocate(2).
     *
     * @param fd     file descriptor.
     * @param mode   flags.
     * @param offset in bytes.
     * @param length in bytes.
     * @return 0 or -1.
     */
    int fallocate(int fd, int mode, long offset, long length);

    /**
     * See ftruncate(2).
     *
     * @param fd     file descriptor.
     * @param length in bytes.
     * @return 0 or -1.
     */
    int ftruncate(int fd, long length);

    /**
     * See mmap(2). The address is a {@link Pointer}, since jnr-ffi's assembler for x86-64 loses the last of six
     * numbers; it is not used for calls with a pointer.
     *
     * @param address    wanted, or null.
     * @param length     in bytes.
     * @param protection flags.
     * @param flags      flags.
     * @param fd         file descriptor.
     * @param offset     in the file.
     * @return address or -1.
     */
    long mmap(Pointer address, long length, int protection, int flags, int fd, long offset);

    /**
     * See madvise(2).
     *
     * @param address of whole pages.
     * @param length  in bytes.
     * @param advice  one of the kernel's numbers.
     * @return 0 or -1.
     */
    int madvise(long address, long length, int advice);

    /**
     * See munmap(2).
     *
     * @param address of a mapping.
     * @param length  in bytes.
     * @return 0 or -1.
     */
    int munmap(long address, long length);

    /**
     * See pread(2).
     *
     * @param fd     file descriptor.
     * @param buffer address.
     * @param count  in bytes.
     * @param offset in the file.
     * @return bytes read or -1.
     */
    long pread(int fd, long buffer, long count, long offset);

    /**
     * See pwrite(2).
     *
     * @param fd     file descriptor.
     * @param buffer address.
     * @param count  in bytes.
     * @param offset in the file.
     * @return bytes written or -1.
     */
    long pwrite(int fd, long buffer, long count, long offset);

    /**
     * See read(2).
     *
     * @param fd     file descriptor.
     * @param buffer address.
     * @param count  in bytes.
     * @return bytes read or -1.
     */
    long read(int fd, long buffer, long count);

    /**
     * See write(2).
     *
     * @param fd     file descriptor.
     * @param buffer address.
     * @param count  in bytes.
     * @return bytes written or -1.
     */
    long write(int fd, long buffer, long count);

    /**
     * See flock(2).
     *
     * @param fd        file descriptor.
     * @param operation flags.
     * @return 0 or -1.
     */
    int flock(int fd, int operation);

    /**
     * See mkfifoat(3).
     *
     * @param directory file descriptor.
     * @param path      relative to it.
     * @param mode      of the FIFO.
     * @return 0 or -1.
     */
    int mkfifoat(int directory, CharSequence path, int mode);

    /**
     * See poll(2).
     *
     * @param fds       address of an array of {@code struct pollfd}.
     * @param count     of its elements.
     * @param timeoutMs in milliseconds, -1 for ever.
     * @return how many have events, or -1.
     */
    int poll(long fds, long count, int timeoutMs);

    /**
     * See pipe2(2).
     *
     * @param fds   address of two ints that get the file descriptors.
     * @param flags of open(2).
     * @return 0 or -1.
     */
    int pipe2(long fds, int flags);

    /**
     * See unlinkat(2).
     *
     * @param directory file descriptor.
     * @param path      relative to it.
     * @param flags     flags.
     * @return 0 or -1.
     */
    int unlinkat(int directory, CharSequence path, int flags);

    /**
     * See syscall(2), for what has no function in the C library.
     *
     * @param number of the system call.
     * @param first  argument of it.
     * @param second argument of it.
     * @param third  argument of it.
     * @return what the system call returns, or -1.
     */
    long syscall(long number, long first, long second, long third);

    /**
     * See clock_gettime(2).
     *
     * @param clock one of the kernel's numbers.
     * @param time  address of a {@code struct timespec}.
     * @return 0 or -1.
     */
    int clock_gettime(int clock, long time);

    /**
     * See getuid(2).
     *
     * @return user id of this process.
     */
    int getuid();
}
