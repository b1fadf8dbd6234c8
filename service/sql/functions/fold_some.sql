-- Folds, of the scopes that a statement wrote in, one in eight; called one time in eight. It does so by chance, so that it
-- costs little each time, and what is not folded is some dozens of rows, a few hundred at the most.
create or replace function fold_some(scopes text[]) returns void language plpgsql as $$
declare
  scope text;
begin
  foreach scope in array scopes loop
    if random() < 1.0 / 8 then perform fold_moves(app_tenant(), scope); end if;
  end loop;
end $$;
