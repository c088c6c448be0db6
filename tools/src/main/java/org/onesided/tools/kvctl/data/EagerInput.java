package org.onesided.tools.kvctl.data;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Input that runs a task before it blocks, so that lines already read take effect meanwhile.
 */
final class EagerInput extends FilterInputStream
{
    private final Action beforeWaiting;

    /** The task to run before blocking. */
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
