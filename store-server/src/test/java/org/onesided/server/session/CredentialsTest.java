package org.onesided.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.protocol.bootstrap.Token;
import org.onesided.protocol.bootstrap.Tokens;

class CredentialsTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "CN=reports|false",
        "CN=reports,OU=read-only|true",
        "OU=read-only,CN=reports|true",
        "CN=reports,ou=Read-Only,O=ours|true",
        "CN=reports+OU=read-only,O=ours|true",
        "CN=reports,OU=tools,OU=read-only|true",
        "CN=reports,OU=read\\-only|true",
        "CN=reports,OU=tools|false",
        // Within a name of another kind, it says nothing.
        "CN=OU\\=read-only|false",
        "CN=a\\,OU\\=read-only|false",
        "CN=\"OU=read-only\"|false",
        "O=read-only|false",
        // What cannot be understood gives no right.
        "CN=reports,OU=#0401FF|true",
        "no name|true",
    })
    void shouldKnowReadersByTheirCertificates(final String subject, final boolean isReader)
    {
        assertEquals(isReader, Credentials.isReader(null, subject), subject);
    }

    @Test
    void shouldGiveTheLeastRightsOfTokenAndCertificate()
    {
        final Tokens.Owner writer = new Tokens.Owner("batch", false, Token.of("a"));
        final Tokens.Owner reader = new Tokens.Owner("reports", true, Token.of("b"));

        assertFalse(Credentials.isReader(null, null));
        assertFalse(Credentials.isReader(writer, null));
        assertFalse(Credentials.isReader(writer, "CN=a"));
        assertTrue(Credentials.isReader(writer, "CN=a,OU=read-only"));
        assertTrue(Credentials.isReader(reader, null));
        assertTrue(Credentials.isReader(reader, "CN=a"));
    }

    @Test
    void shouldLetNobodyResumeASessionOfOtherRights()
    {
        final ClientIdentity writer = new ClientIdentity("a", false, null);
        final ClientIdentity reader = new ClientIdentity("a", true, null);

        assertTrue(writer.mayResume(new ClientIdentity("a", false, new Tokens.Owner("a", false, Token.of("new")))));
        assertFalse(reader.mayResume(writer));
        assertFalse(writer.mayResume(reader));
        assertFalse(writer.mayResume(new ClientIdentity("b", false, null)));
    }
}
