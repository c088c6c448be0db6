package org.onesided.verbs.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PosixCallsTest
{
    private static final int AT_FDCWD = -100;
    private static final int EBADF = 9;
    private static final int NO_FILE = -1;
    private static final int ONLY_READ = 1;
    private static final int PRIVATE = 2;

    @TempDir
    private Path folder;

    @Test
    void shouldReturnAnErrorAndItsReason()
    {
        assertEquals(-1, PosixCalls.close(NO_FILE));
        assertEquals(EBADF, PosixCalls.errno());
    }

    @Test
    void shouldKeepTheReasonForTheThreadThatMadeTheCall() throws InterruptedException
    {
        assertEquals(-1, PosixCalls.close(NO_FILE));
        final Thread other = new Thread(() -> PosixCalls.openat(AT_FDCWD, folder + "/none", Posix.O_RDONLY, 0));
        other.start();
        other.join();
        assertEquals(EBADF, PosixCalls.errno());
    }

    @Test
    void shouldTakeAPathThatIsNotAscii() throws Exception
    {
        final Path file = folder.resolve("größe");
        Files.write(file, new byte[]{7});
        final int fd = PosixCalls.openat(AT_FDCWD, file.toString(), Posix.O_RDONLY, 0);
        assertTrue(fd >= 0);
        assertEquals(0, PosixCalls.close(fd));
    }

    @Test
    void shouldRefuseAPathThatEndsBeforeItsEnd()
    {
        assertThrows(IllegalArgumentException.class,
            () -> PosixCalls.openat(AT_FDCWD, folder + "\0/file", Posix.O_RDONLY, 0));
    }

    @Test
    void shouldPassAllSixArguments() throws Exception
    {
        final int page = UnsafeApi.pageSize();
        final byte[] content = new byte[2 * page];
        content[page] = 42;
        final Path file = folder.resolve("two-pages");
        Files.write(file, content);
        final int fd = PosixCalls.openat(AT_FDCWD, file.toString(), Posix.O_RDONLY, 0);
        final long address = PosixCalls.mmap(0, page, ONLY_READ, PRIVATE, fd, page);
        assertEquals(0, PosixCalls.close(fd));
        assertNotEquals(-1, address);
        assertEquals(42, UnsafeApi.getByte(address));
        assertEquals(0, PosixCalls.munmap(address, page));
    }
}
