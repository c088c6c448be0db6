package org.onesided.client.session;

import java.util.function.Supplier;

/**
 * Registered memory that is created at its first use. Not thread-safe.
 */
final class LateBuffer implements Supplier<RegisteredBuffer>, AutoCloseable
{
    private final ClientDevice device;
    private final long length;
    private final Resources resources = new Resources();
    private RegisteredBuffer buffer;

    LateBuffer(final ClientDevice device, final long length)
    {
        this.device = device;
        this.length = length;
    }

    /**
     * @throws org.onesided.verbs.VerbsException if the device has no more memory.
     */
    @Override
    public RegisteredBuffer get()
    {
        if (buffer == null)
        {
            try
            {
                buffer = device.register(resources, length);
            }
            catch (final RuntimeException e)
            {
                resources.close();
                throw e;
            }
        }
        return buffer;
    }

    @Override
    public void close()
    {
        resources.close();
    }
}
