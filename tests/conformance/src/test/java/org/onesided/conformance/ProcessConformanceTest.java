package org.onesided.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.testing.HangGuard;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Context;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.SendFlags;
import org.onesided.verbs.VerbsException;

/**
 * Two processes: one that is killed, one that is stopped, one of another user.
 */
final class ProcessConformanceTest extends Conformance
{
    private static final String NOBODY = "65534";
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final int SIGNALED = SendFlags.SIGNALED;

    /** The promise is 100 ms; a busy machine may take longer, so the measure is printed. */
    private static final long SLACK_MILLIS = TimeUnit.SECONDS.toMillis(HangGuard.seconds(1));

    @TempDir
    private Path directory;

    private Side side;
    private EndpointText peer;

    @BeforeEach
    void open()
    {
        side = side(new Setup().rnr(7, 12));
    }

    @Override
    @AfterEach
    void closeAll()
    {
        super.closeAll();
        // What the killed ones left behind goes with the next opening.
        Devices.find(device).open().close();
    }

    @Test
    void shouldServeAnotherProcess() throws Exception
    {
        connect(serve());
        for (int i = 0; i < 100; i++)
        {
            read(i);
            assertTrue(next().isSuccess());
            side.expect(0, PeerMain.LENGTH, PeerMain.SEED);
            side.send(i, 0, 8);
            assertTrue(next().isSuccess());
        }
    }

    // It is to be told within a second.
    @Tag("timing")
    @Tag("full")
    @Test
    void shouldTellSoonThatItsPeerWasKilled() throws Exception
    {
        final PeerProcess process = serve();
        connect(process);
        final long start = System.nanoTime();
        process.kill();
        Completion completion;
        do
        {
            read(1);
            completion = next();
        }
        while (completion.isSuccess());
        final long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertEquals("RETRY_EXC_ERR", CompletionStatus.name(completion.status()));
        report("READ fails after kill -9", millis);
    }

    // It is to be told within a second.
    @Tag("timing")
    @Test
    void shouldWakeASleeperWhosePeerIsKilled() throws Exception
    {
        final PeerProcess process = serve();
        connect(process);
        process.stop();
        for (int i = 0; i < PeerMain.RECEIVES + 1; i++)
        {
            side.send(i, 0, 8);
        }
        // Whatever the stopped peer's device still takes is out of the way.
        final long end = System.nanoTime() + 100_000_000;
        while (System.nanoTime() - end < 0)
        {
            side.poll();
        }
        side.sent.forEach((c) -> assertTrue(c.isSuccess(), c.toString()));
        side.sent.clear();
        assertEquals(0, side.sendQueue.requestNotify(false));
        side.poll();
        side.sent.forEach((c) -> assertTrue(c.isSuccess(), c.toString()));

        final long start = System.nanoTime();
        process.kill();
        final CompletionQueue told = side.channel.awaitEvent(HangGuard.nanos(20));
        final long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertNotNull(told, "slept on");
        told.acknowledgeEvents(1);
        assertEquals("RETRY_EXC_ERR", CompletionStatus.name(next().status()));
        report("a sleeper wakes after kill -9", millis);
    }

    @Tag("full")
    @Test
    void shouldNotMindAPeerThatIsStopped() throws Exception
    {
        final PeerProcess process = serve();
        connect(process);
        process.stop();
        side.send(1, 0, 8);
        final long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1500);
        while (System.nanoTime() - end < 0)
        {
            side.poll();
            for (final Completion completion : side.sent)
            {
                assertTrue(completion.isSuccess(), completion.toString());
            }
            Thread.sleep(1);
        }
        process.resume();
        assertTrue(next().isSuccess());
        read(2);
        assertTrue(next().isSuccess());
    }

    @Tag("full")
    @Test
    void shouldReadFromAPeerThatIsStopped() throws Exception
    {
        final PeerProcess process = serve();
        connect(process);
        process.stop();
        for (int i = 0; i < 1000; i++)
        {
            read(i);
            assertTrue(next().isSuccess());
            side.expect(0, PeerMain.LENGTH, PeerMain.SEED);
        }
    }

    @Tag("full")
    @Test
    void shouldNotReachTheQueuePairOfAKilledProcess() throws Exception
    {
        final PeerProcess process = serve();
        connect(process);
        process.kill();
        process.awaitEnd();
        final QueuePair late = side.newQueuePair();
        String outcome;
        try
        {
            connect(late, peer);
            post(late, 5);
            outcome = CompletionStatus.name(next().status());
        }
        catch (final VerbsException refused)
        {
            outcome = "RETRY_EXC_ERR";
        }
        assertEquals("RETRY_EXC_ERR", outcome);
    }

    @Test
    void shouldCleanUpTheFilesOfAKilledProcess() throws Exception
    {
        assumeTrue(device.startsWith("shm"), "no files in shared memory");
        final PeerProcess process = serve();
        peer = process.endpoint();
        // Before it has opened any of this side's.
        final Set<Path> files = filesOf(process.pid());
        process.tell(EndpointText.of(side));
        connect(side.queuePair, peer);
        process.expectReady();
        // The side that does not host the connection has dropped its own file for it by now.
        files.removeIf(Files::notExists);
        assertTrue(!files.isEmpty(), "the process has no files in " + SHARED_MEMORY);
        for (final Path file : files)
        {
            assertEquals(
                Set.of(),
                intersection(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)).substring(3), "rwx"),
                "open to others: " + file);
        }
        process.kill();
        process.awaitEnd();
        try (Context next = Devices.find(device).open())
        {
            assertNotNull(next.queryDevice());
            for (final Path file : files)
            {
                assertTrue(Files.notExists(file), "left behind: " + file);
            }
        }
    }

    @Tag("full")
    @Test
    void shouldLeaveTheFilesOfAStoppedProcessAlone() throws Exception
    {
        final PeerProcess process = serve();
        connect(process);
        process.stop();
        try (Context next = Devices.find(device).open())
        {
            assertNotNull(next.queryDevice());
        }
        read(1);
        assertTrue(next().isSuccess());
        process.resume();
        side.send(2, 0, 8);
        assertTrue(next().isSuccess());
    }

    @Test
    void shouldLeaveNoFilesBehind() throws Exception
    {
        assumeTrue(device.startsWith("shm"), "no files in shared memory");
        final Set<Path> before = filesOf(ProcessHandle.current().pid());
        final Side opened = side(new Setup());
        final Set<Path> during = filesOf(ProcessHandle.current().pid());
        during.removeAll(before);
        assertTrue(!during.isEmpty());
        opened.close();
        for (final Path file : during)
        {
            assertTrue(Files.notExists(file), "left behind: " + file);
        }
    }

    @Test
    void shouldRefuseAnotherUser() throws Exception
    {
        assumeTrue(device.startsWith("shm"), "users are told apart by file permissions only where there are files");
        final boolean root =
            "root".equals(System.getProperty("user.name")) && Files.exists(Path.of("/usr/bin/setpriv"));
        if (!root)
        {
            System.out.println("skipped: becoming another user takes root and setpriv");
        }
        assumeTrue(root, "becoming another user takes root and setpriv");
        final String classPath = readableByAll();
        side.word(0, 4711);
        assertEquals("read 4711", outcomeOf(List.of(), classPath), "of the same user");

        closers.close();
        open();
        side.word(0, 4711);
        final String outcome = outcomeOf(
            List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"), classPath);
        System.out.println("another user: " + outcome);
        assertTrue(outcome.startsWith("refused"), outcome);
    }

    private PeerProcess serve() throws IOException
    {
        return closers.add(PeerProcess.serve(peerDevice));
    }

    private String outcomeOf(final List<String> prefix, final String classPath) throws Exception
    {
        final PeerProcess process = closers.add(new PeerProcess(prefix, classPath, peerDevice, "read"));
        final String first = process.line();
        assertNotNull(first, "the peer ended");
        if (first.startsWith("refused"))
        {
            return first;
        }
        final EndpointText own = EndpointText.of(side);
        final EndpointText theirs = EndpointText.parse(first);
        ReliableConnection.initialise(side.queuePair, side.connection);
        try
        {
            ReliableConnection.connect(
                side.queuePair, own.endpoint(), theirs.endpoint(), side.connection);
        }
        catch (final VerbsException ex)
        {
            System.out.println("this side was refused: " + ex.getMessage());
        }
        process.tell(own);
        final CompletableFuture<String> outcome = process.future();
        final long end = System.nanoTime() + HangGuard.nanos(20);
        while (!outcome.isDone() && System.nanoTime() - end < 0)
        {
            side.poll();
            Thread.sleep(1);
        }
        return String.valueOf(outcome.getNow("no answer"));
    }

    private void connect(final PeerProcess process) throws Exception
    {
        peer = process.endpoint();
        process.tell(EndpointText.of(side));
        connect(side.queuePair, peer);
        process.expectReady();
    }

    private void connect(final QueuePair queuePair, final EndpointText to)
    {
        ReliableConnection.initialise(queuePair, side.connection);
        ReliableConnection.connect(queuePair, side.endpoint(queuePair), to.endpoint(), side.connection);
    }

    private void read(final long id)
    {
        post(side.queuePair, id);
    }

    private void post(final QueuePair queuePair, final long id)
    {
        side.sends.at(0).begin(id, Opcode.RDMA_READ, SIGNALED)
            .element(side.address(0), PeerMain.LENGTH, side.region.localKey())
            .remote(peer.address(), peer.key());
        assertEquals(0, side.sends.post(queuePair, 1));
    }

    private Completion next()
    {
        final long end = System.nanoTime() + HangGuard.nanos(20);
        while (side.sent.isEmpty())
        {
            assertTrue(System.nanoTime() - end < 0, "waited in vain");
            side.poll();
            Thread.onSpinWait();
        }
        return side.sent.remove();
    }

    private static void report(final String what, final long millis)
    {
        System.out.println(what + ": " + millis + " ms");
        assertTrue(millis <= SLACK_MILLIS, what + ": ms=" + millis);
    }

    /**
     * The files in shared memory that a process has mapped or open.
     */
    private static Set<Path> filesOf(final long pid) throws IOException
    {
        final Set<Path> files = new TreeSet<>();
        for (final String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "maps")))
        {
            final int start = line.indexOf(SHARED_MEMORY + "/");
            if (start >= 0 && !line.endsWith(" (deleted)"))
            {
                files.add(Path.of(line.substring(start)));
            }
        }
        try (Stream<Path> descriptors = Files.list(Path.of("/proc", Long.toString(pid), "fd")))
        {
            for (final Path descriptor : descriptors.filter(Files::isSymbolicLink).toList())
            {
                final Path file = Files.readSymbolicLink(descriptor);
                if (file.startsWith(SHARED_MEMORY) && Files.exists(file))
                {
                    files.add(file);
                }
            }
        }
        return files;
    }

    private static Set<Character> intersection(final String permissions, final String wanted)
    {
        final Set<Character> found = new TreeSet<>();
        for (final char c : permissions.toCharArray())
        {
            if (wanted.indexOf(c) >= 0)
            {
                found.add(c);
            }
        }
        return found;
    }

    /**
     * Copies the class path to where another user can read it.
     */
    private String readableByAll() throws IOException
    {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        final StringBuilder copies = new StringBuilder();
        int number = 0;
        for (final String entry : System.getProperty("java.class.path").split(File.pathSeparator))
        {
            final Path source = Path.of(entry);
            if (Files.exists(source))
            {
                final Path target = directory.resolve(number++ + "-" + source.getFileName());
                copy(source, target);
                copies.append(copies.isEmpty() ? "" : File.pathSeparator).append(target);
            }
        }
        return copies.toString();
    }

    private static void copy(final Path source, final Path target) throws IOException
    {
        try (Stream<Path> all = Files.walk(source))
        {
            for (final Path one : all.toList())
            {
                final Path to = target.resolve(source.relativize(one).toString());
                Files.copy(one, Files.isRegularFile(source) ? target : to);
            }
        }
    }
}
