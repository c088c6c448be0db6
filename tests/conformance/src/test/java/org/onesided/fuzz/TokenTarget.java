package org.onesided.fuzz;

import java.util.List;
import org.onesided.protocol.bootstrap.Bootstrap;
import org.onesided.protocol.bootstrap.Token;

/**
 * A file with a token.
 */
public final class TokenTarget implements FuzzTarget
{
    private final ScratchFile file = new ScratchFile();

    /**
     * For {@code ServiceLoader}.
     */
    public TokenTarget()
    {
    }

    @Override
    public String name()
    {
        return "token";
    }

    @Override
    public List<String> words()
    {
        return List.of("\n", "\r\n", "\r", "\0");
    }

    @Override
    public void feed(final byte[] input) throws Exception
    {
        file.write(input);
        try
        {
            final Token token = Token.load(file.path());
            final byte[] secret = token.bytes();
            if (secret.length < 1 || secret.length > Bootstrap.MAX_TOKEN_LENGTH || !token.matches(secret) ||
                secret.length < input.length - 2)
            {
                throw new AssertionError("not the file's token: length=" + secret.length);
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
