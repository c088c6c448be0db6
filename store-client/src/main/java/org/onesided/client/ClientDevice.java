package org.onesided.client;

import java.util.concurrent.atomic.AtomicInteger;
import org.onesided.verbs.Context;
import org.onesided.verbs.Devices;
import org.onesided.verbs.ProtectionDomain;

/**
 * The open device of a client, shared by its sessions. The last of its users closes it. Thread-safe.
 */
final class ClientDevice
{
    /** Two of the longest values, and something for scans. */
    private static final long LARGE_BUFFER_LIMIT = 160L << 20;
    /** One of the longest values, and something for scans. */
    private static final long LARGE_BUFFER_KEEP_LIMIT = 72L << 20;

    private final Resources resources = new Resources();
    private final AtomicInteger users = new AtomicInteger(1);
    private final String name;
    private final Context context;
    private final ProtectionDomain domain;
    private final LargeBuffers largeBuffers;

    private ClientDevice(final String name)
    {
        this.name = name;
        context = resources.add(Devices.find(name).open());
        try
        {
            domain = resources.add(context.allocateProtectionDomain());
            largeBuffers = resources.add(new LargeBuffers(
                context, domain, LARGE_BUFFER_LIMIT, LARGE_BUFFER_KEEP_LIMIT));
        }
        catch (final RuntimeException e)
        {
            resources.close();
            throw e;
        }
    }

    /**
     * Opens a device for its first user.
     *
     * @throws org.onesided.verbs.VerbsException if there is no such device, or it cannot be used.
     */
    static ClientDevice open(final String name)
    {
        return new ClientDevice(name);
    }

    /** Counts one more user, who releases it once; whether it is still open. */
    boolean isRetained()
    {
        return users.updateAndGet(count -> count == 0 ? 0 : count + 1) > 0;
    }

    void release()
    {
        if (users.decrementAndGet() == 0)
        {
            resources.close();
        }
    }

    /** The kind of device, as the bootstrap names it. */
    String kind()
    {
        final int colon = name.indexOf(':');
        return colon < 0 ? name : name.substring(0, colon);
    }

    Context context()
    {
        return context;
    }

    ProtectionDomain domain()
    {
        return domain;
    }

    LargeBuffers largeBuffers()
    {
        return largeBuffers;
    }
}
