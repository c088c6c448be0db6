package org.onesided.verbs.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.testing.DatagramReceiver;
import org.onesided.verbs.Errno;
import org.onesided.verbs.UnixDatagrams;

@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnixDatagramsTest
{
    private static final int LONG_MS = 60_000;
    private static final byte[] MESSAGE = "READY=1\n".getBytes();

    private final UnixDatagrams datagrams = UnixDatagrams.system();

    @TempDir
    private Path folder;

    @Test
    void shouldReachASocketInTheFileSystem()
    {
        final String address = folder.resolve("größe").toString();
        try (DatagramReceiver receiver = DatagramReceiver.at(address))
        {
            assertEquals(0, datagrams.send(address, MESSAGE, LONG_MS));
            assertEquals(0, datagrams.send(address, "next".getBytes(), LONG_MS));
            assertEquals("READY=1\n", receiver.receive());
            assertEquals("next", receiver.receive());
        }
    }

    @Test
    void shouldReachAnAbstractSocket()
    {
        final String address = "@onesided-test-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
        try (DatagramReceiver receiver = DatagramReceiver.at(address))
        {
            assertEquals(0, datagrams.send(address, MESSAGE, LONG_MS));
            assertEquals("READY=1\n", receiver.receive());
        }
        assertEquals(-Errno.ECONNREFUSED, datagrams.send(address, MESSAGE, LONG_MS));
    }

    @Test
    void shouldTakeTheLongestPathAndNoneThatIsLonger()
    {
        final String start = folder + "/";
        final int most = UnixDatagrams.MAX_ADDRESS_LENGTH - 1;
        final String longest = start + "x".repeat(most - start.length());
        try (DatagramReceiver receiver = DatagramReceiver.at(longest))
        {
            assertEquals(0, datagrams.send(longest, MESSAGE, LONG_MS));
            assertEquals("READY=1\n", receiver.receive());
        }
        assertEquals(-Errno.EINVAL, datagrams.send(longest + "x", MESSAGE, LONG_MS));
        assertEquals(-Errno.EINVAL, datagrams.send("@" + "x".repeat(most + 1), MESSAGE, LONG_MS));
    }

    @Test
    void shouldTellWhyNobodyIsReached() throws Exception
    {
        assertEquals(-Errno.ENOENT, datagrams.send(folder.resolve("none").toString(), MESSAGE, LONG_MS));
        final Path file = Files.createFile(folder.resolve("file"));
        assertEquals(-Errno.ECONNREFUSED, datagrams.send(file.toString(), MESSAGE, LONG_MS));
        for (final String none : new String[]{"", "/", "@", "relative", "vsock:2:1234", "/with\0nul"})
        {
            assertEquals(-Errno.EINVAL, datagrams.send(none, MESSAGE, LONG_MS), none);
        }
    }

    @Test
    void shouldNotWaitForEverForAFullQueue()
    {
        final String address = folder.resolve("socket").toString();
        try (DatagramReceiver receiver = DatagramReceiver.at(address))
        {
            int result = 0;
            int sent = 0;
            while (result == 0)
            {
                result = datagrams.send(address, MESSAGE, 1);
                sent += result == 0 ? 1 : 0;
            }
            assertEquals(-Errno.EAGAIN, result);
            for (int i = 0; i < sent; i++)
            {
                assertEquals("READY=1\n", receiver.receive());
            }
            assertEquals(0, datagrams.send(address, MESSAGE, LONG_MS));
        }
        assertThrows(IllegalArgumentException.class, () -> datagrams.send(address, MESSAGE, 0));
    }
}
