package org.onesided.tools.kvctl.data;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Input that does something before it waits for more, so that what was read takes effect meanwhile.
 */
final class EagerInput extends FilterInputStream
{
    private final Action beforeWaiting;

    /** What to do before waiting. */
    @FunctionalInterface
    interface Action
    {
        void run() throws IOException;
    }

    EagerInput(final InputStream input, final Action beforeWaiting)
    {
        super(input);
        this.beforeWaiting = beforeWaiting;
    }

    @Override
    public int read() throws IOException
    {
        prepare();
        return super.read();
    }

    @Override
    public int read(final byte[] bytes, final int offset, final int length) throws IOException
    {
        prepare();
        return super.read(bytes, offset, length);
    }

    private void prepare() throws IOException
    {
        if (available() == 0)
        {
            beforeWaiting.run();
        }
    }
}
