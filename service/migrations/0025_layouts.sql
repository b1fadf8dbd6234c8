-- Where the pages, slides, sheets and cells of the file begin in the text of the newest version; null where it came as text. It may be a
-- megabyte, so it is no part of the card, which every list of documents reads.
alter table documents add column sealed_layout bytea;

-- Ciphertext does not compress; trying costs more than storing.
do $$
declare
  part regclass;
begin
  for part in select inhrelid from pg_inherits where inhparent = 'documents'::regclass loop
    execute format('alter table %s alter column sealed_layout set storage external', part);
  end loop;
end $$;
