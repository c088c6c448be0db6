package org.onesided.verbs.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.verbs.CompletionOpcode;
import org.onesided.verbs.CompletionStatus;
import org.onesided.verbs.Devices;
import org.onesided.verbs.Opcode;
import org.onesided.verbs.QueuePairState;
import org.onesided.verbs.ReliableConnection;
import org.onesided.verbs.posix.Posix;

@Timeout(300)
class TwoProcessTest
{
    private final Node node = new Node();
    private PeerProcess peer;

    @AfterEach
    void tearDown() throws Exception
    {
        node.close();
        if (peer != null)
        {
            peer.close();
        }
        // Finds what a killed process left.
        Devices.find("shm").open().close();
    }

    @Test
    void shouldReadFromAPeerThatSleeps() throws Exception
    {
        peer = new PeerProcess("sleep");
        peer.connect(node);
        node.oneSided(Opcode.RDMA_READ, peer.address, peer.remoteKey, 0, 4096);
        assertEquals(CompletionStatus.SUCCESS, node.awaitStatus());
        assertTrue(node.holds(0, 4096, 1));
    }

    @Test
    void shouldWakeEachOther() throws Exception
    {
        peer = new PeerProcess("echo");
        peer.connect(node);
        for (int i = 0; i < 200; i++)
        {
            node.fill(0, 500, i);
            node.completions.requestNotify(false);
            node.send(i, 0, 500, 0);
            assertEquals(node.completions, node.channel.awaitEvent(10_000_000_000L));
            node.completions.acknowledgeEvents(1);
            assertEquals(1, node.awaitCompletions(1));
            assertEquals(CompletionOpcode.RECV, node.polled.opcode(0));
            final long id = node.polled.id(0);
            assertTrue(node.holds(8192 + (id - 100) * 1024, 500, i));
            node.receive(id, 8192 + (id - 100) * 1024, 1024);
            if (i % 16 == 15)
            {
                // Frees the places of those that were not signaled.
                node.oneSided(Opcode.RDMA_READ, peer.address, peer.remoteKey, 4096, 8);
                assertEquals(CompletionStatus.SUCCESS, node.awaitStatus());
            }
        }
    }

    @Test
    void shouldTellOfAKilledPeer() throws Exception
    {
        peer = new PeerProcess("sleep");
        peer.connect(node);
        // More than the peer has receives for, so that the last one waits.
        for (int i = 0; i < 9; i++)
        {
            assertEquals(0, node.send(i, 0, 8));
        }
        Node.await(() -> node.polled.poll(node.completions) == 8);
        node.completions.requestNotify(false);
        assertNull(node.channel.awaitEvent(1));
        assertEquals(QueuePairState.RTS, node.queuePair.state());

        final long startNs = System.nanoTime();
        peer.signal("KILL");
        assertNotNull(node.channel.awaitEvent(60_000_000_000L));
        final long tookMs = (System.nanoTime() - startNs) / 1_000_000;
        node.completions.acknowledgeEvents(1);
        assertEquals(CompletionStatus.RETRY_EXC_ERR, node.awaitStatus());
        System.out.println("a killed peer was noticed after " + tookMs + " ms, the killing included");
        assertEquals(QueuePairState.ERR, node.queuePair.state());
    }

    @Test
    void shouldGoOnWhileThePeerIsStopped() throws Exception
    {
        peer = new PeerProcess("sleep");
        peer.connect(node);
        peer.signal("STOP");
        for (int i = 0; i < 2000; i++)
        {
            node.oneSided(Opcode.RDMA_READ, peer.address, peer.remoteKey, 0, 144);
            assertEquals(CompletionStatus.SUCCESS, node.awaitStatus());
        }
        for (int i = 0; i < 8; i++)
        {
            node.send(i, 0, 1024);
            assertEquals(CompletionStatus.SUCCESS, node.awaitStatus());
        }
        node.completions.requestNotify(false);
        assertNull(node.channel.awaitEvent(300_000_000));
        assertEquals(QueuePairState.RTS, node.queuePair.state());
        peer.signal("CONT");
    }

    @Test
    void shouldRemoveTheFilesOfAKilledProcess() throws Exception
    {
        peer = new PeerProcess("sleep");
        final Path directory = ContextPaths.pathOf(Posix.userId(), peer.endpoint.gid());
        assertTrue(Files.exists(directory));
        Devices.find("shm").open().close();
        assertTrue(Files.exists(directory), "it is alive");
        peer.signal("STOP");
        Devices.find("shm").open().close();
        assertTrue(Files.exists(directory), "it is alive, though stopped");
        peer.signal("KILL");
        peer.process.waitFor();
        Devices.find("shm").open().close();
        assertTrue(Files.notExists(directory));
    }

    /**
     * A client that stood still while its server was killed and another took over has not noticed anything yet: only
     * the life word tells it. So a server marks the dead even if it does not offer this device itself.
     */
    @Test
    void shouldMarkTheMemoryOfAKilledProcessForThoseWhoStillHaveItMapped() throws Exception
    {
        peer = new PeerProcess("sleep");
        final Path control =
            ContextPaths.pathOf(Posix.userId(), peer.endpoint.gid()).resolve(FileNames.CONTROL);
        try (FileChannel file = FileChannel.open(control, StandardOpenOption.READ))
        {
            final ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
            Devices.retireLeftovers();
            file.read(word, ControlDescriptor.LIFE_OFFSET);
            assertEquals(ControlDescriptor.ALIVE, word.getLong(0));
            peer.signal("KILL");
            peer.process.waitFor();
            Devices.retireLeftovers();
            file.read(word.clear(), ControlDescriptor.LIFE_OFFSET);
            assertEquals(ControlDescriptor.DEAD, word.getLong(0));
        }
    }

    @Test
    void shouldConnectToADeadPeerAndFailThen() throws Exception
    {
        peer = new PeerProcess("sleep");
        peer.signal("KILL");
        peer.process.waitFor();
        ReliableConnection.initialise(node.queuePair, Node.options());
        ReliableConnection.connect(
            node.queuePair, node.endpoint(), peer.endpoint, Node.options());
        node.send(1, 0, 8);
        assertEquals(CompletionStatus.RETRY_EXC_ERR, node.awaitStatus());
    }
}
