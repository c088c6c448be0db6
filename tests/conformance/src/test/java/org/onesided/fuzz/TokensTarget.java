package org.onesided.fuzz;

import java.util.List;
import org.onesided.protocol.bootstrap.Tokens;

/**
 * A file with several tokens.
 */
public final class TokensTarget implements FuzzTarget
{
    private final ScratchFile file = new ScratchFile();

    /**
     * For {@code ServiceLoader}.
     */
    public TokensTarget()
    {
    }

    @Override
    public String name()
    {
        return "tokens";
    }

    @Override
    public List<String> words()
    {
        return List.of("\n", "\r\n", "\r", "\0", ":", "#", "name:");
    }

    @Override
    public void feed(final byte[] input) throws Exception
    {
        file.write(input);
        try
        {
            final int count = Tokens.load(file.path()).count();
            if (count < 1 || count > Tokens.MAX_COUNT || count > input.length / 3)
            {
                throw new AssertionError("more tokens than there can be: count=" + count);
            }
        }
        catch (final IllegalArgumentException e)
        {
            Refusal.check(e);
        }
    }

    @Override
    public void close()
    {
        file.close();
    }
}
