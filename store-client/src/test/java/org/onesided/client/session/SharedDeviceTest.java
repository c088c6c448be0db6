package org.onesided.client.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onesided.client.StoreClientBuilder;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.DeviceChoice;
import org.onesided.verbs.DeviceWatch;
import org.onesided.verbs.HugePages;
import org.onesided.verbs.VerbsException;

class SharedDeviceTest
{
    private final List<ClientDevice> opened = new ArrayList<>();
    private final List<String> heard = new ArrayList<>();

    @AfterEach
    void release()
    {
        opened.forEach(ClientDevice::release);
    }

    private ClientDevice open(final String name, final int maxSessions)
    {
        final ClientDevice device = ClientDevice.open(
            new DeviceChoice(name, StoreClientBuilder.DEFAULT_CONNECTION, true), HugePages.AUTO, maxSessions);
        opened.add(device);
        return device;
    }

    @Test
    void shouldShareADeviceButNoProtectionDomain()
    {
        final ClientDevice first = open("shm", 8);
        final ClientDevice second = open("shm", 8);
        assertSame(first.context(), second.context());
        assertNotSame(first.domain(), second.domain());
        assertNotSame(first.context(), open("tcp", 8).context());

        opened.remove(first);
        first.release();
        assertSame(second.context(), open("shm", 8).context());
    }

    @Test
    void shouldCloseADeviceWithItsLastClient()
    {
        final ClientDevice first = open("tcp", 8);
        final ClientDevice second = open("tcp", 8);
        opened.clear();
        first.release();
        second.context().createCompletionChannel().close();
        second.release();
        assertThrows(VerbsException.class, () -> second.context().createCompletionChannel());
        assertNotSame(second.context(), open("tcp", 8).context());
    }

    @Test
    void shouldNotShareMoreThanADeviceHasRoomFor()
    {
        final ClientDevice first = open("shm", 700);
        final ClientDevice second = open("shm", 700);
        assertNotSame(first.context(), second.context());
        assertSame(first.context(), open("shm", 8).context());
    }

    @Test
    void shouldOpenADeviceAnewThatHasFailed()
    {
        final ClientDevice first = open("tcp", 8);
        first.device().fail("test");
        final ClientDevice second = open("tcp", 8);
        assertNotSame(first.context(), second.context());
        assertSame(second.context(), open("tcp", 8).context());
    }

    @Test
    void shouldNotUseADeviceThatIsClosed()
    {
        final ClientDevice device = ClientDevice.open(
            new DeviceChoice("shm", StoreClientBuilder.DEFAULT_CONNECTION, true), HugePages.AUTO, 1);
        assertTrue(device.tryRetain());
        device.release();
        device.release();
        assertFalse(device.tryRetain());
        assertFalse(device.tryRetain());
    }

    /** Remembers what it hears, or throws. */
    private final class Listener implements DeviceWatch.Listener
    {
        private final String name;
        private final boolean isThrowing;

        private Listener(final String name, final boolean isThrowing)
        {
            this.name = name;
            this.isThrowing = isThrowing;
        }

        @Override
        public void onEvent(final AsyncEvent event)
        {
            // Nothing to be remembered.
        }

        @Override
        public void onQueuePairFailed(final int number, final String reason)
        {
            // Nothing to be remembered.
        }

        @Override
        public void onCompletionQueueFailed(final CompletionQueue queue, final String reason)
        {
            // Nothing to be remembered.
        }

        @Override
        public void onPortDown(final int port, final String reason)
        {
            // Nothing to be remembered.
        }

        @Override
        public void onDeviceFailed(final String reason)
        {
            if (isThrowing)
            {
                throw new IllegalStateException(reason);
            }
            heard.add(name + " " + reason);
        }

        @Override
        public void onError(final AsyncEvent event, final Throwable error)
        {
            heard.add(name + " failed");
        }
    }

    @Test
    void shouldTellAllClientsThoughOneThrows()
    {
        final DeviceChoice choice = new DeviceChoice("shm", StoreClientBuilder.DEFAULT_CONNECTION, true);
        final SharedDevice device = SharedDevice.open(choice, 1);
        final Listener gone = new Listener("gone", false);
        device.watch(new Listener("first", true));
        device.watch(gone);
        device.watch(new Listener("second", false));
        device.unwatch(gone);
        device.onDeviceFailed("reason");
        device.release(1);
        assertTrue(heard.contains("first failed"), heard.toString());
        assertTrue(heard.contains("second reason"), heard.toString());
        assertFalse(heard.contains("gone reason"), heard.toString());
    }
}
